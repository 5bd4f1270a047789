/* SPDX-License-Identifier: Apache-2.0 */
/* Torus packets and descriptors under the names of the chip's headers: spi/DMA_Packet.h says what the fields mean. */
#ifndef _BGP_TORUS_PACKET_H_
#define _BGP_TORUS_PACKET_H_

#include <common/alignment.h>
#include <common/namespace.h>

__BEGIN_DECLS

#define _BGP_TORUS_PKT_HINT_XP (0x20)
#define _BGP_TORUS_PKT_HINT_XM (0x10)
#define _BGP_TORUS_PKT_HINT_YP (0x08)
#define _BGP_TORUS_PKT_HINT_YM (0x04)
#define _BGP_TORUS_PKT_HINT_ZP (0x02)
#define _BGP_TORUS_PKT_HINT_ZM (0x01)

#define _BGP_TORUS_PKT_VC_D0 (0)
#define _BGP_TORUS_PKT_VC_D1 (1)
#define _BGP_TORUS_PKT_VC_BN (2)
#define _BGP_TORUS_PKT_VC_BP (3)

#define _BGP_TORUS_PKT_DETERMINSTIC (0)
#define _BGP_TORUS_PKT_DYNAMIC (1)
#define _BGP_TORUS_PKT_POINT2POINT (0)
#define _BGP_TORUS_PKT_CLASS (1)

typedef struct _BGP_TorusHdrHW0_t {
  __extension__ union {
    unsigned word;
    __extension__ struct {
      unsigned CSum_Skip : 7;
      unsigned Sk : 1;
      unsigned Hint : 6;
      unsigned Dp : 1;
      unsigned Pid0 : 1;
      unsigned Chunks : 3;
      unsigned Pid1 : 1;
      unsigned Dm : 1;
      unsigned Dynamic : 1;
      unsigned VC : 2;
      unsigned X : 8;
    };
  };
} _BGP_TorusHdrHW0_t;

typedef struct _BGP_TorusHdrHW1_t {
  __extension__ union {
    unsigned word;
    __extension__ struct {
      unsigned Y : 8;
      unsigned Z : 8;
      unsigned Resvd0 : 8;
      unsigned Resvd1 : 8;
    };
  };
} _BGP_TorusHdrHW1_t;

typedef union _BGP_TorusHdrHW2_t {
  unsigned word;
  unsigned Put_Offset;
} _BGP_TorusHdrHW2_t;

typedef struct _BGP_TorusHdrHW3_t {
  __extension__ union {
    unsigned word;
    __extension__ struct {
      unsigned rDMA_Counter : 8;
      unsigned Payload_Bytes : 8;
      unsigned Flags : 8;
      unsigned iDMA_Fifo_ID : 8;
    };
  };
} _BGP_TorusHdrHW3_t;

typedef struct _BGP_TorusPacketHeader_t {
  _BGP_TorusHdrHW0_t hwh0;
  _BGP_TorusHdrHW1_t hwh1;
  _BGP_TorusHdrHW2_t hwh2;
  _BGP_TorusHdrHW3_t hwh3;
} ALIGN_QUADWORD _BGP_TorusPacketHeader_t;

__END_DECLS

#endif
