/* SPDX-License-Identifier: Apache-2.0 */
/* The personality: what the kernel tells a program of its node, version 8, 176 bytes (nic/bgq/personality.h, which says
 * what of it is filled in). Flags are words whose bit 0 is the most significant. */
#ifndef _PERSONALITY_H_
#define _PERSONALITY_H_

typedef unsigned long long fw_uint64_t;
typedef unsigned fw_uint32_t;
typedef unsigned short fw_uint16_t;
typedef unsigned char fw_uint8_t;

#if defined(__ASSEMBLY__)
#define FW_U64(x) x
#else
#define FW_U64(x) x##ull
#endif

#define FW_BIT(b) (FW_U64(1) << (63 - (b)))
/* A field that ends with bit b. */
#define FW_BITS_(width, b, x) (((x) & ((FW_U64(1) << (width)) - 1)) << (63 - (b)))
#define FW_BIT_x2(b, x) FW_BITS_(2, b, x)
#define FW_BIT_x4(b, x) FW_BITS_(4, b, x)
#define FW_BIT_x5(b, x) FW_BITS_(5, b, x)
#define FW_BIT_x12(b, x) FW_BITS_(12, b, x)
#define FW_BIT_x17(b, x) FW_BITS_(17, b, x)

#define PERSONALITY_VERSION (0x08)
#define DEFAULT_FREQ_MHZ (1600)
#define PERSONALITY_LEN_NFSDIR (32)
#define PERSONALITY_LEN_SECKEY (32)
#define NUM_ND_ZONES (4)

/* The node ----------------------------------------------------------------------------------------------------------
 */

typedef struct Personality_Kernel_t {
  fw_uint64_t UCI; /* where the node is in its rack */
  fw_uint64_t NodeConfig;
  fw_uint64_t TraceConfig;
  fw_uint32_t RASPolicy;
  fw_uint32_t FreqMHz;
  fw_uint64_t ClockStop;
} Personality_Kernel_t;

#define PERS_RASPOLICY_VERBOSITY(x) FW_BIT_x2(33, x)
#define PERS_RASPOLICY_MINIMAL PERS_RASPOLICY_VERBOSITY(0)
#define PERS_RASPOLICY_NORMAL PERS_RASPOLICY_VERBOSITY(1)
#define PERS_RASPOLICY_VERBOSE PERS_RASPOLICY_VERBOSITY(2)
#define PERS_RASPOLICY_EXTREME PERS_RASPOLICY_VERBOSITY(3)
#define PERS_RASPOLICY_FATALEXIT FW_BIT(34)

/* clang-format off */
/* NodeConfig */
#define PERS_ENABLE_MMU FW_BIT(0)
#define PERS_ENABLE_IsIoNode FW_BIT(1)
#define PERS_ENABLE_TakeCPU FW_BIT(2)
#define PERS_ENABLE_MU FW_BIT(3)
#define PERS_ENABLE_ND FW_BIT(4)
#define PERS_ENABLE_Timestamps FW_BIT(5)
#define PERS_ENABLE_BeDRAM FW_BIT(6)
#define PERS_ENABLE_ClockStop FW_BIT(7)
#define PERS_ENABLE_DrArbiter FW_BIT(8)
#define PERS_ENABLE_DevBus FW_BIT(9)
#define PERS_ENABLE_L1P FW_BIT(10)
#define PERS_ENABLE_L2 FW_BIT(11)
#define PERS_ENABLE_MSGC FW_BIT(12)
#define PERS_ENABLE_TestInt FW_BIT(13)
#define PERS_ENABLE_NodeRepro FW_BIT(14)
#define PERS_ENABLE_PartitionRepro FW_BIT(15)
#define PERS_ENABLE_DD1_Workarounds FW_BIT(16)
#define PERS_ENABLE_A2_Errata FW_BIT(17)
#define PERS_ENABLE_A2_IU_LLB FW_BIT(18)
#define PERS_ENABLE_A2_XU_LLB FW_BIT(19)
#define PERS_ENABLE_DDRCalibration FW_BIT(20)
#define PERS_ENABLE_DDRFastInit FW_BIT(21)
#define PERS_ENABLE_DDRCellTest FW_BIT(22)
#define PERS_ENABLE_DDRAutoSize FW_BIT(23)
#define PERS_ENABLE_MaskLinkErrors FW_BIT(24)
#define PERS_ENABLE_MaskCorrectables FW_BIT(25)
#define PERS_ENABLE_DDRDynamicRecal FW_BIT(26)
#define PERS_ENABLE_DDRNoTerm FW_BIT(27)
#define PERS_ENABLE_DDRBackScrub FW_BIT(28)
#define PERS_ENABLE_DDRDirScrub FW_BIT(29)
#define PERS_ENABLE_AppPreload FW_BIT(36)
#define PERS_ENABLE_IOServices FW_BIT(37)
#define PERS_ENABLE_SpecCapDDR FW_BIT(38)
#define PERS_ENABLE_L2Only FW_BIT(39)
#define PERS_ENABLE_FPGA FW_BIT(40)
#define PERS_ENABLE_DDRINIT FW_BIT(41)
#define PERS_ENABLE_Mailbox FW_BIT(42)
#define PERS_ENABLE_Simulation FW_BIT(43)
#define PERS_ENABLE_Mambo FW_BIT(44)
#define PERS_ENABLE_JTagConsole FW_BIT(45)
#define PERS_ENABLE_JTagLoader FW_BIT(46)
#define PERS_ENABLE_FPU FW_BIT(47)
#define PERS_ENABLE_L2Counters FW_BIT(48)
#define PERS_ENABLE_Wakeup FW_BIT(49)
#define PERS_ENABLE_BIC FW_BIT(50)
#define PERS_ENABLE_DDR FW_BIT(51)
#define PERS_ENABLE_GlobalInts FW_BIT(54)
#define PERS_ENABLE_SerDes FW_BIT(55)
#define PERS_ENABLE_UPC FW_BIT(56)
#define PERS_ENABLE_EnvMon FW_BIT(57)
#define PERS_ENABLE_PCIe FW_BIT(58)
#define PERS_ENABLE_TimeSync FW_BIT(61)
#define PERS_ENABLE_DiagnosticsMode FW_BIT(63)
/* clang-format on */

typedef struct Personality_DDR_t {
  fw_uint32_t DDRFlags;
  fw_uint32_t DDRSizeMB;
} Personality_DDR_t;

#define DDR_POWER_DOWN_MASK 0x00000003
#define DDR_POWER_DOWN_OFF 0
#define DDR_POWER_DOWN_FAST 1
#define DDR_POWER_DOWN_SLOW 2
#define DDR_GET_POWER_DOWN(flags) ((flags)&DDR_POWER_DOWN_MASK)

/* The networks ------------------------------------------------------------------------------------------------------
 */

typedef struct Personality_Networks_t {
  fw_uint32_t BlockID;
  fw_uint64_t NetFlags;
  fw_uint64_t NetFlags2;
  fw_uint8_t Anodes, Bnodes, Cnodes, Dnodes, Enodes;
  fw_uint8_t Acoord, Bcoord, Ccoord, Dcoord, Ecoord; /* in the block */
  struct PrimordialClassRoute {
    fw_uint16_t GlobIntUpPortInputs;
    fw_uint16_t GlobIntUpPortOutputs;
    fw_uint16_t CollectiveTypeAndUpPortInputs;
    fw_uint16_t CollectiveUpPortOutputs;
  } PrimordialClassRoute;
  fw_uint32_t ZoneRoutingMasks[NUM_ND_ZONES];
  fw_uint64_t MuFlags;
  fw_uint8_t cnBridge_A, cnBridge_B, cnBridge_C, cnBridge_D, cnBridge_E; /* the node that leads to I/O */
  fw_uint32_t latencyFromRoot;                                           /* of global interrupts, core clocks */
} Personality_Networks_t;

#define ND_TORUS_SIZE(net) ((net).Anodes * (net).Bnodes * (net).Cnodes * (net).Dnodes * (net).Enodes)

/* NetFlags: n is a dimension, 0 to 4 */
#define ND_ENABLE_ION_LINK FW_BIT(7)
#define ND_DIM_A_LOOPBACK(v) FW_BIT_x2(9, v)
#define ND_DIM_IO_LOOPBACK(v) FW_BIT_x2(19, v)
#define ND_DIM_LOOPBACK(n, v) (ND_DIM_A_LOOPBACK(v) >> ((n)*2))
#define ND_LOOPBACK_NONE 0
#define ND_LOOPBACK_TORUS_INTERNAL 1
#define ND_LOOPBACK_SERDES 2
#define ND_LOOPBACK_HSS 3
#define ND_ENABLE_TORUS_DIM_A FW_BIT(20)
#define ND_ENABLE_TORUS_DIM_B FW_BIT(21)
#define ND_ENABLE_TORUS_DIM_C FW_BIT(22)
#define ND_ENABLE_TORUS_DIM_D FW_BIT(23)
#define ND_ENABLE_TORUS_DIM_E FW_BIT(24)
#define ND_ENABLE_TORUS(n) (ND_ENABLE_TORUS_DIM_A >> (n))
#define ND_ENABLE_TORUS_RAN_HINTS(n) (FW_BIT(25) >> (n))
#define ND_SE_ARB_RE_INJ_RATIO(v) FW_BIT_x4(33, v)
#define ND_DET_ORDER_MASK(n, v) (FW_BIT_x5(38, v) >> ((n)*5))
#define ND_GET_ENABLE_ION_LINK(f) (((f)&ND_ENABLE_ION_LINK) != 0)
#define ND_GET_TORUS(n, f) (((f) >> (63 - 20 - (n))) & 1)
#define ND_GET_ALL_TORUS(f) (((f) >> (63 - 24)) & 0x1F)
#define ND_GET_SE_ARB_RE_INJ_RATIO(f) (((f) >> (63 - 33)) & 0xF)
#define ND_GET_DET_ORDER_MASK(n, f) (((f) >> (63 - 38 - (n)*5)) & 0x1F)

/* clang-format off */
/* NetFlags2 */
#define ND_ENABLE_LINK_A_MINUS FW_BIT(0)
#define ND_ENABLE_LINK_A_PLUS FW_BIT(1)
#define ND_ENABLE_LINK_B_MINUS FW_BIT(2)
#define ND_ENABLE_LINK_B_PLUS FW_BIT(3)
#define ND_ENABLE_LINK_C_MINUS FW_BIT(4)
#define ND_ENABLE_LINK_C_PLUS FW_BIT(5)
#define ND_ENABLE_LINK_D_MINUS FW_BIT(6)
#define ND_ENABLE_LINK_D_PLUS FW_BIT(7)
#define ND_ENABLE_LINK_E_MINUS FW_BIT(8)
#define ND_ENABLE_LINK_E_PLUS FW_BIT(9)
#define SD_ENABLE_T0 FW_BIT(10)
#define SD_ENABLE_T1 FW_BIT(11)
#define SD_ENABLE_T2 FW_BIT(12)
#define SD_ENABLE_T3 FW_BIT(13)
#define SD_ENABLE_T4 FW_BIT(14)
#define SD_ENABLE_T5 FW_BIT(15)
#define SD_ENABLE_T6 FW_BIT(16)
#define SD_ENABLE_T7 FW_BIT(17)
#define SD_ENABLE_T8 FW_BIT(18)
#define SD_ENABLE_T9 FW_BIT(19)
#define SD_ENABLE_TIO FW_BIT(20)
#define SD_ENABLE_HALFSPEED FW_BIT(21)
#define TI_USE_PORT6_FOR_IO FW_BIT(22)
#define TI_USE_PORT7_FOR_IO FW_BIT(23)
#define TI_TORUS_DIM_A_REVERSED FW_BIT(24)
#define TI_TORUS_DIM_B_REVERSED FW_BIT(25)
#define TI_TORUS_DIM_C_REVERSED FW_BIT(26)
#define TI_TORUS_DIM_D_REVERSED FW_BIT(27)
#define TI_TORUS_DIM_E_REVERSED FW_BIT(28)
#define ND_CN_BRIDGE_PORT_6 FW_BIT(29)
#define ND_CN_BRIDGE_PORT_7 FW_BIT(30)
#define ND_CN_BRIDGE_PORT_10 FW_BIT(31)
/* clang-format on */
#define ND_LINK_ENABLE_MASK(dim, direction) FW_BIT(2 * (dim) + (direction))
#define ND_GET_LINK_ENABLE(dim, direction, flags) ((flags)&ND_LINK_ENABLE_MASK(dim, direction))

/* PrimordialClassRoute */
#define ND_CR_COLL_TYPE(v) (((v)&0x3) << 12)
#define ND_CR_COLL_INPUT(v) ((v)&0xFFF)
#define ND_CR_GET_COLL_TYPE(v) (((v) >> 12) & 0x3)
#define ND_CR_GET_COLL_INPUT(v) ((v)&0x0FFF)

/* ZoneRoutingMasks: mask m, 0 to 4, of zone z */
#define ND_DYNAMIC_ZONE_MASK(m, v) (FW_BIT_x5(11 + 32, v) >> ((m)*5))
#define ND_GET_DYNAMIC_ZONE_MASK(z, m, nc) (((nc)->ZoneRoutingMasks[z] >> (31 - 11 - (m)*5)) & 0x1F)

/* MuFlags */
#define MU_ENABLE_GROUP(n) FW_BIT(n)
#define MU_IS_GROUP_ENABLED(n, f) (((f)&MU_ENABLE_GROUP(n)) != 0)

typedef struct Personality_Ethernet_t {
  fw_uint8_t SecurityKey[PERSONALITY_LEN_SECKEY];
} Personality_Ethernet_t;

typedef struct Personality_t {
  fw_uint16_t CRC;
  fw_uint8_t Version;
  fw_uint8_t PersonalitySizeWords; /* of 4 bytes */
  Personality_Kernel_t Kernel_Config;
  Personality_DDR_t DDR_Config;
  Personality_Networks_t Network_Config;
  Personality_Ethernet_t Ethernet_Config;
} Personality_t;

#endif
