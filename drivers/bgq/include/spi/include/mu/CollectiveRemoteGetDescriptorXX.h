/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a remote get, over a class. */
#ifndef _MUSPI_COLLECTIVE_REMOTE_GET_DESCRIPTOR_XX_H_
#define _MUSPI_COLLECTIVE_REMOTE_GET_DESCRIPTOR_XX_H_

#include <spi/include/mu/DescriptorBaseXX.h>

class MUSPI_CollectiveRemoteGetDescriptor : public MUSPI_DescriptorBase {
 public:
  MUSPI_CollectiveRemoteGetDescriptor()
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, MUHWI_PACKET_TYPE_GET) {}
  MUSPI_CollectiveRemoteGetDescriptor(MUSPI_CollectiveRemoteGetDescriptorInfo_t* info)
      : MUSPI_DescriptorBase(MUHWI_COLLECTIVE_DATA_PACKET_TYPE, info->RemoteGet.Type) {
    setBaseFields(&info->Base);
    setCollectiveFields(&info->Collective);
    setRemoteGetFields(&info->RemoteGet);
  }
};

#endif
