/* SPDX-License-Identifier: Apache-2.0 */
/* What software keeps of a descriptor that it sends: in which FIFO, under which number, what is called when it is done,
 * and its neighbours in a list. */
#ifndef _MUSPI_DESCRIPTOR_WRAPPER_XX_H_
#define _MUSPI_DESCRIPTOR_WRAPPER_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_DescriptorWrapper {
 public:
  MUSPI_DescriptorWrapper(MUSPI_DescriptorBase* desc = NULL)
      : _desc(desc),
        _FIFO(static_cast<uint16_t>(-1)),
        _sequenceNumber(0),
        _cb_done(NULL),
        _clientdata(NULL),
        _nextPtr(NULL),
        _prevPtr(NULL) {}
  MUSPI_DescriptorWrapper(int) {} /* not initialised */

  void setDescriptorPtr(MUSPI_DescriptorBase* desc) { _desc = desc; }
  MUSPI_DescriptorBase* getDescriptorPtr() { return _desc; }

  void setFIFONum(int fnum) { _FIFO = static_cast<uint16_t>(fnum); }
  uint16_t getFIFONum() const { return _FIFO; }
  void setSequenceNumber(uint64_t sequenceNumber) { _sequenceNumber = sequenceNumber; }
  uint64_t getSequenceNumber() { return _sequenceNumber; }

  void setDoneCallback(void (*cb_done)(void*), void* clientdata) {
    _cb_done = cb_done;
    _clientdata = clientdata;
  }
  uint32_t isCallbackDesired() { return _cb_done != NULL; }
  void performCallback() { _cb_done(_clientdata); }

  void setNextPtr(MUSPI_DescriptorWrapper* nextPtr) { _nextPtr = nextPtr; }
  MUSPI_DescriptorWrapper* getNextPtr() { return _nextPtr; }
  void setPrevPtr(MUSPI_DescriptorWrapper* prevPtr) { _prevPtr = prevPtr; }
  MUSPI_DescriptorWrapper* getPrevPtr() { return _prevPtr; }

  void clone(MUSPI_DescriptorWrapper& obj) { obj = *this; }
  void dump() { _desc->dump(); }

 protected:
  MUSPI_DescriptorBase* _desc;
  uint16_t _FIFO;
  uint64_t _sequenceNumber;
  void (*_cb_done)(void*);
  void* _clientdata;
  MUSPI_DescriptorWrapper* _nextPtr;
  MUSPI_DescriptorWrapper* _prevPtr;
};

#endif
