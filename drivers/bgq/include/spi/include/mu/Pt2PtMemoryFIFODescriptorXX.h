/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a message to a memory FIFO, from node to node. */
#ifndef _MUSPI_PT2PT_MEMORY_FIFO_DESCRIPTOR_XX_H_
#define _MUSPI_PT2PT_MEMORY_FIFO_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_Pt2PtMemoryFIFODescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_Pt2PtMemoryFIFODescriptor() : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO) {}
  MUSPI_Pt2PtMemoryFIFODescriptor(int dummy) : MUSPI_DescriptorBase(dummy) {} /* not initialised */
  MUSPI_Pt2PtMemoryFIFODescriptor(MUSPI_Pt2PtMemoryFIFODescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_FIFO) {
    setBaseFields(&info->Base);
    setPt2PtFields(&info->Pt2Pt);
    setMemoryFIFOFields(&info->MemFIFO);
  }
};

#endif
