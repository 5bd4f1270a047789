/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collective network (tree): windows of its two virtual channels, packets, and the status word. Programs use
 * virtual channel 0; 1 is the kernel's.
 */
#ifndef _COLLECTIVE_H_
#define _COLLECTIVE_H_

#include <bpcore/bgp_dcrmap.h>
#include <bpcore/bgp_types.h>
#include <cnk/bgp_VirtualMap.h>
#include <common/bgp_bitnumbers.h>
#include <common/linkage.h>
#include <common/namespace.h>

__BEGIN_DECLS

/* Registers of a window: data and header, injection and reception; status of this channel and of the other. */
#define _BGP_TRx_DI (0x00)
#define _BGP_TRx_HI (0x10)
#define _BGP_TRx_DR (0x20)
#define _BGP_TRx_HR (0x30)
#define _BGP_TRx_Sx (0x40)
#define _BGP_TRx_SO (0x50)
#define _BGP_TR0_DI (_BGP_VA_TREE0 | _BGP_TRx_DI)
#define _BGP_TR0_HI (_BGP_VA_TREE0 | _BGP_TRx_HI)
#define _BGP_TR0_DR (_BGP_VA_TREE0 | _BGP_TRx_DR)
#define _BGP_TR0_HR (_BGP_VA_TREE0 | _BGP_TRx_HR)
#define _BGP_TR0_S0 (_BGP_VA_TREE0 | _BGP_TRx_Sx)
#define _BGP_TR0_S1 (_BGP_VA_TREE0 | _BGP_TRx_SO)
#define _BGP_TR1_DI (_BGP_VA_TREE1 | _BGP_TRx_DI)
#define _BGP_TR1_HI (_BGP_VA_TREE1 | _BGP_TRx_HI)
#define _BGP_TR1_DR (_BGP_VA_TREE1 | _BGP_TRx_DR)
#define _BGP_TR1_HR (_BGP_VA_TREE1 | _BGP_TRx_HR)
#define _BGP_TR1_S1 (_BGP_VA_TREE1 | _BGP_TRx_Sx)
#define _BGP_TR1_S0 (_BGP_VA_TREE1 | _BGP_TRx_SO)

/* A packet's payload. */
#define _BGP_TREE_PKT_MAX_BYTES (256)
#define _BGP_TREE_PKT_MAX_SHORT (128)
#define _BGP_TREE_PKT_MAX_LONG (64)
#define _BGP_TREE_PKT_MAX_LONGLONG (32)
#define _BGP_TREE_PKT_MAX_QUADS (16)

/* What the network does with payloads; the size of an operand is in half-words, less 1. MAX and ADD are unsigned. */
#define _BGP_TREE_OPCODE_NONE (0x0)
#define _BGP_TREE_OPCODE_OR (0x1)
#define _BGP_TREE_OPCODE_AND (0x2)
#define _BGP_TREE_OPCODE_XOR (0x3)
#define _BGP_TREE_OPCODE_MAX (0x5)
#define _BGP_TREE_OPCODE_ADD (0x6)
#define _BGP_TREE_OPSIZE_BIT16 (0x0)
#define _BGP_TREE_OPSIZE_BIT32 (0x1)
#define _BGP_TREE_OPSIZE_BIT64 (0x3)
#define _BGP_TREE_OPSIZE_BIT128 (0x7)
#define _BGP_TREE_OPSIZE_SHORT _BGP_TREE_OPSIZE_BIT16
#define _BGP_TREE_OPSIZE_INT _BGP_TREE_OPSIZE_BIT32
#define _BGP_TREE_OPSIZE_LONG _BGP_TREE_OPSIZE_BIT64
#define _BGP_TREE_OPSIZE_QUAD _BGP_TREE_OPSIZE_BIT128

/* What the injection checksum counts: nothing, all but the first quad, all but a configured part, all. */
#define _BGP_TREE_CSUM_NONE (0x0)
#define _BGP_TREE_CSUM_SOME (0x1)
#define _BGP_TREE_CSUM_CFG (0x2)
#define _BGP_TREE_CSUM_ALL (0x3)

#define _BGP_TREE_CSUM_VC0_HEADER (0)
#define _BGP_TREE_CSUM_VC0_PAYLOAD (1)
#define _BGP_TREE_CSUM_VC1_HEADER (2)
#define _BGP_TREE_CSUM_VC1_PAYLOAD (3)

/* A class: from which ports packets are combined, and to which they go; the local port is L. */
#define _BGP_TREE_RDR_NUM (16)
#define _BGP_TREE_RDR_SRC0 (0x1000)
#define _BGP_TREE_RDR_SRC1 (0x2000)
#define _BGP_TREE_RDR_SRC2 (0x4000)
#define _BGP_TREE_RDR_SRCL (0x0002)
#define _BGP_TREE_RDR_TGT0 (0x0100)
#define _BGP_TREE_RDR_TGT1 (0x0200)
#define _BGP_TREE_RDR_TGT2 (0x0400)
#define _BGP_TREE_RDR_TGTL (0x0001)
#define _BGP_TREE_RDR_ACCEPT (0x7703)

/* The FIFOs hold as many packets. Payload is counted in quads. */
#define _BGP_TREE_STATUS_MAX_PKTS (8)

typedef union T_BGP_TreeFifoStatus {
  uint32_t status_word;
  __extension__ struct {
    unsigned InjPyldCount : 8;
    unsigned _notdefined1 : 4;
    unsigned InjHdrCount : 4;
    unsigned RecPyldCount : 8;
    unsigned _notdefined2 : 3;
    unsigned RecIrq : 1;
    unsigned RecHdrCount : 4;
  };
} _BGP_TreeFifoStatus;

/* The header: a packet to one node, or one of a class. */
typedef union T_BGP_TreePtpHdr {
  uint32_t word;
  __extension__ struct {
    unsigned Class : 4;
    unsigned Ptp : 1;
    unsigned Irq : 1;
    unsigned PtpTarget : 24;
    unsigned CsumMode : 2;
  };
} _BGP_TreePtpHdr;

typedef union T_BGP_TreeCollectiveHdr {
  uint32_t word;
  __extension__ struct {
    unsigned Class : 4;
    unsigned Ptp : 1;
    unsigned Irq : 1;
    unsigned OpCode : 3;
    unsigned OpSize : 7;
    unsigned Tag : 14;
    unsigned CsumMode : 2;
  };
} _BGP_TreeCollectiveHdr;

typedef union T_BGP_TreeHwHdr {
  _BGP_TreePtpHdr PtpHdr;
  _BGP_TreeCollectiveHdr CtvHdr;
} _BGP_TreeHwHdr;

typedef union T_BGP_TreePayload {
  uint8_t u8[_BGP_TREE_PKT_MAX_BYTES];
  uint16_t u16[_BGP_TREE_PKT_MAX_BYTES / 2];
  uint32_t u32[_BGP_TREE_PKT_MAX_BYTES / 4];
  uint32_t u64[_BGP_TREE_PKT_MAX_BYTES / 4]; /* words, too: so it is on the machine */
  float f[_BGP_TREE_PKT_MAX_BYTES / 4];
  double d[_BGP_TREE_PKT_MAX_BYTES / 8];
  _QuadWord_t q[_BGP_TREE_PKT_MAX_QUADS];
} ALIGN_QUADWORD _BGP_TreePayload;

__END_DECLS

#endif
