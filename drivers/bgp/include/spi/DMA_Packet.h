/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a torus packet, 16 bytes: two words of the torus, two of the DMA (nic/bgp/dma_packet.h says more). */
#ifndef _DMA_PACKET_H_
#define _DMA_PACKET_H_

#include <common/alignment.h>
#include <common/namespace.h>

__BEGIN_DECLS

/* Hint: directions that the packet may take. */
#define DMA_PACKET_HINT_XP (0x20)
#define DMA_PACKET_HINT_XM (0x10)
#define DMA_PACKET_HINT_YP (0x08)
#define DMA_PACKET_HINT_YM (0x04)
#define DMA_PACKET_HINT_ZP (0x02)
#define DMA_PACKET_HINT_ZM (0x01)

/* VC: two for dynamic routes, and for deterministic routes the bubble ones of normal and of high priority. */
#define DMA_PACKET_VC_D0 (0)
#define DMA_PACKET_VC_D1 (1)
#define DMA_PACKET_VC_BN (2)
#define DMA_PACKET_VC_BP (3)

#define DMA_PACKET_DETERMINSTIC (0)
#define DMA_PACKET_DYNAMIC (1)

/* Dp: to one node, or deposited at every node of a line. */
#define DMA_PACKET_POINT2POINT (0)
#define DMA_PACKET_CLASS (1)

typedef struct DMA_PacketHeader_t {
  __extension__ union {
    unsigned word0;
    __extension__ struct {
      unsigned CSum_Skip : 7; /* half-words that the checksum leaves out */
      unsigned Sk : 1;        /* 1: it leaves out the whole packet */
      unsigned Hint : 6;
      unsigned Dp : 1;
      unsigned Pid0 : 1;   /* with Pid1: row of the map of reception FIFOs */
      unsigned Chunks : 3; /* size of the packet in units of 32 bytes, less 1 */
      unsigned Pid1 : 1;
      unsigned Dm : 1; /* 1: direct put or remote get, 0: memory FIFO */
      unsigned Dynamic : 1;
      unsigned VC : 2;
      unsigned X : 8;
    };
  };
  __extension__ union {
    unsigned word1;
    __extension__ struct {
      unsigned Y : 8;
      unsigned Z : 8;
      unsigned Resvd0 : 8;
      unsigned Resvd1 : 8;
    };
  };
  __extension__ union {
    unsigned word2;
    unsigned Put_Offset; /* from the base of the reception counter */
    unsigned Single_Packet_Parameter;
  };
  __extension__ union {
    unsigned word3;
    __extension__ struct { /* Dm 1 */
      unsigned rDMA_Counter : 8;
      unsigned Payload_Bytes : 8;
      unsigned Flags : 8; /* 1: remote get, 2: pacing */
      unsigned iDMA_Fifo_ID : 8;
    };
    __extension__ struct { /* Dm 0 */
      unsigned SW_Arg : 24;
      unsigned Func_Id : 8; /* number of the receive function */
    };
  };
} ALIGN_QUADWORD DMA_PacketHeader_t;

__END_DECLS

#endif
