/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a direct put, over a class. */
#ifndef _MUSPI_COLLECTIVE_DIRECT_PUT_DESCRIPTOR_XX_H_
#define _MUSPI_COLLECTIVE_DIRECT_PUT_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_CollectiveDirectPutDescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_CollectiveDirectPutDescriptor()
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT) {}
  MUSPI_CollectiveDirectPutDescriptor(MUSPI_CollectiveDirectPutDescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_PUT) {
    setBaseFields(&info->Base);
    setCollectiveFields(&info->Collective);
    setDirectPutFields(&info->DirectPut);
  }
};

#endif
