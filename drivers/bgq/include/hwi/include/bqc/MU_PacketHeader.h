/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a packet: 32 bytes. */
#ifndef _MUHWI_PACKET_HEADER_H_
#define _MUHWI_PACKET_HEADER_H_

#include <hwi/include/bqc/MU_CollectiveNetworkHeader.h>
#include <hwi/include/bqc/MU_MessageUnitHeader.h>
#include <hwi/include/bqc/MU_Pt2PtNetworkHeader.h>

__BEGIN_DECLS

typedef struct MUHWI_PacketHeader {
  union {
    MUHWI_Pt2PtNetworkHeader_t pt2pt;
    MUHWI_CollectiveNetworkHeader_t collective;
  } __attribute__((__packed__)) NetworkHeader;
  MUHWI_MessageUnitHeader_t messageUnitHeader;
} __attribute__((__packed__)) MUHWI_PacketHeader_t;

__END_DECLS

#endif
