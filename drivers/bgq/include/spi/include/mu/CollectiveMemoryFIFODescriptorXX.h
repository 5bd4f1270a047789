/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a message to a memory FIFO, over a class. */
#ifndef _MUSPI_COLLECTIVE_MEMORY_FIFO_DESCRIPTOR_XX_H_
#define _MUSPI_COLLECTIVE_MEMORY_FIFO_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_CollectiveMemoryFIFODescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_CollectiveMemoryFIFODescriptor()
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO) {}
  MUSPI_CollectiveMemoryFIFODescriptor(MUSPI_CollectiveMemoryFIFODescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO) {
    setBaseFields(&info->Base);
    setCollectiveFields(&info->Collective);
    setMemoryFIFOFields(&info->MemFIFO);
  }
};

#endif
