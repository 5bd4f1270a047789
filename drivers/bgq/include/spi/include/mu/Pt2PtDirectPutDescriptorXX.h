/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a direct put, from node to node. */
#ifndef _MUSPI_PT2PT_DIRECT_PUT_DESCRIPTOR_XX_H_
#define _MUSPI_PT2PT_DIRECT_PUT_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_Pt2PtDirectPutDescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_Pt2PtDirectPutDescriptor() : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT) {}
  MUSPI_Pt2PtDirectPutDescriptor(MUSPI_Pt2PtDirectPutDescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT) {
    setBaseFields(&info->Base);
    setPt2PtFields(&info->Pt2Pt);
    setDirectPutFields(&info->DirectPut);
  }
};

#endif
