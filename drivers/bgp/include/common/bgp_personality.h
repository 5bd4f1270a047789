/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The personality: what a node knows of itself and of its block, 416 bytes, filled in by the control system and given
 * out by Kernel_GetPersonality(). Layout: version 0x0A (common/bgp_personality.h in jmcadden/EBBlib); checked below.
 */
#ifndef _BGP_PERSONALITY_H_
#define _BGP_PERSONALITY_H_

#include <bpcore/bgp_types.h>
#include <common/alignment.h>
#include <common/bgp_bitnumbers.h>
#include <common/bgp_chipversion.h>
#include <common/namespace.h>

#define _BGP_PERSONALITY_VERSION 0x0A
#define _BGP_DEFAULT_FREQ 850 /* MHz */

/* ProcessConfig: a byte a process, its cores in the low four bits; in the high four, those that are privileged. */
#define _BGP_PERS_PROCESSCONFIG_DIAGS 0xFF000000
#define _BGP_PERS_PROCESSCONFIG_SMP 0x0F000000
#define _BGP_PERS_PROCESSCONFIG_VNM 0x08040201
#define _BGP_PERS_PROCESSCONFIG_2x2 0x0C030000
#define _BGP_PERS_PROCESSCONFIG_DEFAULT _BGP_PERS_PROCESSCONFIG_DIAGS
#define _BGP_PERS_PROCESSCONFIG_PRIV_MSK 0xF0F0F0F0

#define _BGP_PERS_RASPOLICY_VERBOSITY(x) _B2(1, x)
#define _BGP_PERS_RASPOLICY_MINIMAL _BGP_PERS_RASPOLICY_VERBOSITY(0)
#define _BGP_PERS_RASPOLICY_NORMAL _BGP_PERS_RASPOLICY_VERBOSITY(1)
#define _BGP_PERS_RASPOLICY_VERBOSE _BGP_PERS_RASPOLICY_VERBOSITY(2)
#define _BGP_PERS_RASPOLICY_EXTREME _BGP_PERS_RASPOLICY_VERBOSITY(3)
#define _BGP_PERS_RASPOLICY_FATALEXIT _BN(2)

/* NodeConfig. */
#define _BGP_PERS_ENABLE_Simulation _BN(0)
#define _BGP_PERS_ENABLE_LockBox _BN(1)
#define _BGP_PERS_ENABLE_BIC _BN(2)
#define _BGP_PERS_ENABLE_DDR _BN(3)
#define _BGP_PERS_ENABLE_LoopBack _BN(4)
#define _BGP_PERS_ENABLE_GlobalInts _BN(5)
#define _BGP_PERS_ENABLE_Collective _BN(6)
#define _BGP_PERS_ENABLE_Torus _BN(7)
#define _BGP_PERS_ENABLE_TorusMeshX _BN(8) /* no link from the last node back to the first */
#define _BGP_PERS_ENABLE_TorusMeshY _BN(9)
#define _BGP_PERS_ENABLE_TorusMeshZ _BN(10)
#define _BGP_PERS_ENABLE_TreeA _BN(11)
#define _BGP_PERS_ENABLE_TreeB _BN(12)
#define _BGP_PERS_ENABLE_TreeC _BN(13)
#define _BGP_PERS_ENABLE_DMA _BN(14)
#define _BGP_PERS_ENABLE_SerDes _BN(15)
#define _BGP_PERS_ENABLE_UPC _BN(16)
#define _BGP_PERS_ENABLE_EnvMon _BN(17)
#define _BGP_PERS_ENABLE_Ethernet _BN(18)
#define _BGP_PERS_ENABLE_JTagLoader _BN(19)
#define _BGP_PERS_ENABLE_MailBoxReceive _BGP_PERS_ENABLE_JTagLoader
#define _BGP_PERS_ENABLE_PowerSave _BN(20)
#define _BGP_PERS_ENABLE_FPU _BN(21)
#define _BGP_PERS_ENABLE_StandAlone _BN(22)
#define _BGP_PERS_ENABLE_TLBMisses _BN(23)
#define _BGP_PERS_ENABLE_Mambo _BN(24)
#define _BGP_PERS_ENABLE_TreeBlast _BN(25)
#define _BGP_PERS_ENABLE_BlindStacks _BN(26)
#define _BGP_PERS_ENABLE_CNK_Malloc _BN(27)
#define _BGP_PERS_ENABLE_Reproducibility _BN(28)
#define _BGP_PERS_ENABLE_HighThroughput _BN(29)
#define _BGP_PERS_ENABLE_DiagnosticsMode _BN(30)

/* L1Config. */
#define _BGP_PERS_L1CONFIG_L1I _BN(0)
#define _BGP_PERS_L1CONFIG_L1D _BN(1)
#define _BGP_PERS_L1CONFIG_L1SWOA _BN(2) /* store without allocate */
#define _BGP_PERS_L1CONFIG_L1Recovery _BN(3)
#define _BGP_PERS_L1CONFIG_L1WriteThru _BN(4)

#define _BGP_PERSONALITY_LEN_NFSDIR 32
#define _BGP_PERSONALITY_LEN_SECKEY 32

#if !defined(__ASSEMBLY__)
__BEGIN_DECLS

typedef struct _BGP_Personality_Kernel_t {
  uint32_t UniversalComponentIdentifier; /* where the node is: common/bgp_UCI.h */
  uint32_t FreqMHz;
  uint32_t RASPolicy;
  uint32_t ProcessConfig;
  uint32_t TraceConfig;
  uint32_t NodeConfig;
  uint32_t L1Config;
  uint32_t L2Config;
  uint32_t L3Config;
  uint32_t L3Select;
  uint32_t SharedMemMB;
  uint32_t ClockStop0;
  uint32_t ClockStop1;
} _BGP_Personality_Kernel_t;

typedef struct _BGP_Personality_DDR_t {
  uint32_t DDRFlags;
  uint32_t SRBS0;
  uint32_t SRBS1;
  uint32_t PBX0;
  uint32_t PBX1;
  uint32_t MemConfig0;
  uint32_t MemConfig1;
  uint32_t ParmCtl0;
  uint32_t ParmCtl1;
  uint32_t MiscCtl0;
  uint32_t MiscCtl1;
  uint32_t CmdBufMode0;
  uint32_t CmdBufMode1;
  uint32_t RefrInterval0;
  uint32_t RefrInterval1;
  uint32_t ODTCtl0;
  uint32_t ODTCtl1;
  uint8_t TimingTweaks;
  uint8_t Unused0;
  uint8_t Unused1;
  uint8_t Unused2;
  uint32_t DataStrobeCalib1;
  uint32_t DQSCtl;
  uint32_t Throttle;
  uint16_t DDRSizeMB;
  uint8_t Chips;
  uint8_t CAS;
} _BGP_Personality_DDR_t;

typedef struct _BGP_Personality_Networks_t {
  uint32_t BlockID;
  uint8_t Xnodes; /* the block's size */
  uint8_t Ynodes;
  uint8_t Znodes;
  uint8_t Xcoord; /* the node's place; 0xFF on an I/O node */
  uint8_t Ycoord;
  uint8_t Zcoord;
  uint16_t PSetNum;
  uint32_t PSetSize;
  uint32_t RankInPSet;
  uint32_t IOnodes;
  uint32_t Rank;
  uint32_t IOnodeRank;
  uint16_t TreeRoutes[16];
} _BGP_Personality_Networks_t;

typedef struct _BGP_IP_Addr_t {
  uint8_t octet[16];
} _BGP_IP_Addr_t;

typedef struct _BGP_Personality_Ethernet_t {
  uint16_t MTU;
  uint8_t EmacID[6];
  _BGP_IP_Addr_t IPAddress;
  _BGP_IP_Addr_t IPNetmask;
  _BGP_IP_Addr_t IPBroadcast;
  _BGP_IP_Addr_t IPGateway;
  _BGP_IP_Addr_t NFSServer;
  _BGP_IP_Addr_t serviceNode;
  char NFSExportDir[_BGP_PERSONALITY_LEN_NFSDIR];
  char NFSMountDir[_BGP_PERSONALITY_LEN_NFSDIR]; /* the block's name */
  uint8_t SecurityKey[_BGP_PERSONALITY_LEN_SECKEY];
} _BGP_Personality_Ethernet_t;

typedef struct T_BGP_Personality_t {
  uint16_t CRC;
  uint8_t Version;
  uint8_t PersonalitySizeWords;
  _BGP_Personality_Kernel_t Kernel_Config;
  _BGP_Personality_DDR_t DDR_Config;
  _BGP_Personality_Networks_t Network_Config;
  _BGP_Personality_Ethernet_t Ethernet_Config;
  uint8_t Block_Config;
  uint8_t padd[7];
} _BGP_Personality_t;

__END_DECLS
#endif
#endif
