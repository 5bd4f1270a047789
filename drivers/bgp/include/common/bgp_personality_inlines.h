/* SPDX-License-Identifier: Apache-2.0 */
/* What programs ask a personality. */
#ifndef _BGP_PERSONALITY_INLINES_H_
#define _BGP_PERSONALITY_INLINES_H_

#include <common/bgp_UCI.h>
#include <common/bgp_personality.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>

__BEGIN_DECLS

#define fixEndian16(x) (x)
#define fixEndian32(x) (x)

#define BGP_ASK_(type, name, answer)                                    \
  __INLINE__ type BGP_Personality_##name(const _BGP_Personality_t* p) { \
    return (type)(answer);                                              \
  }

BGP_ASK_(uint16_t, DDRSizeMB, p->DDR_Config.DDRSizeMB)
BGP_ASK_(uint32_t, clockMHz, p->Kernel_Config.FreqMHz)
BGP_ASK_(uint32_t, processConfig, p->Kernel_Config.ProcessConfig)

BGP_ASK_(unsigned, xCoord, p->Network_Config.Xcoord)
BGP_ASK_(unsigned, yCoord, p->Network_Config.Ycoord)
BGP_ASK_(unsigned, zCoord, p->Network_Config.Zcoord)
BGP_ASK_(unsigned, xSize, p->Network_Config.Xnodes)
BGP_ASK_(unsigned, ySize, p->Network_Config.Ynodes)
BGP_ASK_(unsigned, zSize, p->Network_Config.Znodes)
BGP_ASK_(int, isTorusX, (p->Kernel_Config.NodeConfig & _BGP_PERS_ENABLE_TorusMeshX) == 0)
BGP_ASK_(int, isTorusY, (p->Kernel_Config.NodeConfig & _BGP_PERS_ENABLE_TorusMeshY) == 0)
BGP_ASK_(int, isTorusZ, (p->Kernel_Config.NodeConfig & _BGP_PERS_ENABLE_TorusMeshZ) == 0)

BGP_ASK_(int, isIONode, p->Network_Config.Xcoord == 0xFF)
BGP_ASK_(int, isComputeNode, p->Network_Config.Xcoord != 0xFF)
BGP_ASK_(unsigned, numComputeNodes,
         (unsigned)p->Network_Config.Xnodes * p->Network_Config.Ynodes * p->Network_Config.Znodes)
BGP_ASK_(uint32_t, numIONodes, p->Network_Config.IOnodes)

BGP_ASK_(unsigned, psetNum, p->Network_Config.PSetNum)
BGP_ASK_(uint32_t, psetSize, p->Network_Config.PSetSize)
BGP_ASK_(unsigned, rankInPset, p->Network_Config.RankInPSet)
/* Addresses on the collective network: the I/O node of this set, a compute node of it. */
BGP_ASK_(unsigned, treeIONodeP2PAddr, BGP_Personality_numComputeNodes(p) + p->Network_Config.PSetNum)
__INLINE__ uint32_t BGP_Personality_treeNodeP2PAddrInPset(const _BGP_Personality_t* p, uint32_t psetRank) {
  return p->Network_Config.PSetNum * p->Network_Config.PSetSize + psetRank;
}

BGP_ASK_(const char*, blockName, p->Ethernet_Config.NFSMountDir)
#undef BGP_ASK_

__INLINE__ unsigned get_ipv4_addr(_BGP_IP_Addr_t a) {
  return (unsigned)a.octet[12] << 24 | (unsigned)a.octet[13] << 16 | (unsigned)a.octet[14] << 8 | a.octet[15];
}
__INLINE__ unsigned BGP_Personality_ipServiceNode(const _BGP_Personality_t* p) {
  return get_ipv4_addr(p->Ethernet_Config.serviceNode);
}
__INLINE__ void BGP_Personality_getIPv4Addr(_BGP_Personality_t* personality, struct in_addr* ipaddr) {
  ipaddr->s_addr = get_ipv4_addr(personality->Ethernet_Config.IPAddress);
}

/* The place as people write it: rack, midplane, node card and card, such as R00-M0-N04-J12; x for what is not known. */
#define BGPPERSONALITY_MAX_LOCATION 24
__INLINE__ void BGP_Personality_locationString(uint32_t location, char* buf) {
  _BGP_UniversalComponentIdentifier uci;
  uci.UCI = location;
  if (uci.ComputeCard.Component != _BGP_UCI_Component_ComputeCard && uci.IOCard.Component != _BGP_UCI_Component_IOCard)
    snprintf(buf, BGPPERSONALITY_MAX_LOCATION, "Rxx-Mx-Nxx-Jxx");
  else if (uci.ComputeCard.RackRow == 0xF)
    snprintf(buf, BGPPERSONALITY_MAX_LOCATION, "Rxx-Mx-N%02u-J%02u", (unsigned)uci.ComputeCard.NodeCard,
             (unsigned)uci.ComputeCard.ComputeCard);
  else
    snprintf(buf, BGPPERSONALITY_MAX_LOCATION, "R%X%X-M%u-N%02u-J%02u", (unsigned)uci.ComputeCard.RackRow,
             (unsigned)uci.ComputeCard.RackColumn, (unsigned)uci.ComputeCard.Midplane,
             (unsigned)uci.ComputeCard.NodeCard, (unsigned)uci.ComputeCard.ComputeCard);
}
__INLINE__ void BGP_Personality_getLocationString(_BGP_Personality_t* personality, char* buf) {
  BGP_Personality_locationString(personality->Kernel_Config.UniversalComponentIdentifier, buf);
}

__END_DECLS

#endif
