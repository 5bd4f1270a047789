/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a remote get, from node to node. */
#ifndef _MUSPI_PT2PT_REMOTE_GET_DESCRIPTOR_XX_H_
#define _MUSPI_PT2PT_REMOTE_GET_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_Pt2PtRemoteGetDescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_Pt2PtRemoteGetDescriptor() : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_GET) {}
  MUSPI_Pt2PtRemoteGetDescriptor(MUSPI_Pt2PtRemoteGetDescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_PT2PT_DATA_PACKET_TYPE, info->RemoteGet.Type) {
    setBaseFields(&info->Base);
    setPt2PtFields(&info->Pt2Pt);
    setRemoteGetFields(&info->RemoteGet);
  }
};

#endif
