/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Torus packets by the cores, for a node whose DMA is off. With the DMA on, which is how the kernel starts programs,
 * the FIFOs belong to the DMA.
 */
#ifndef _BGP_TORUS_SPI_H_
#define _BGP_TORUS_SPI_H_

#include <bpcore/bgp_quad_copies.h>
#include <bpcore/bgp_torus_packet.h>
#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_inlines.h>
#include <cnk/bgp_VirtualMap.h>
#include <common/alignment.h>
#include <common/linkage.h>
#include <common/namespace.h>

__BEGIN_DECLS

#define _BGP_MEM_TORUS_STATUS0_OFFSET 0x7000
#define _BGP_MEM_TORUS_STATUS1_OFFSET 0x7010
#define _BGP_TORUS_FIFO_STATUS0 (_BGP_VA_TORUS0 | _BGP_MEM_TORUS_STATUS0_OFFSET)
#define _BGP_TORUS_FIFO_STATUS1 (_BGP_VA_TORUS1 | _BGP_MEM_TORUS_STATUS0_OFFSET)

/* Fill of reception FIFOs, by direction and of high priority, and of injection FIFOs. */
typedef struct T_BGP_TorusFifoStatus {
  uint8_t r0, r1, r2, r3, r4, r5, rH, i0, i1, i2, iH, pad[5];
} ALIGN_QUADWORD _BGP_TorusFifoStatus;

typedef _QuadWord_t _BGP_TorusFifo_t;
typedef _QuadWord_t _BGP_TorusPacketPayload_t;

__INLINE__ void _bgp_TorusGetStatus0(_BGP_TorusFifoStatus* stat) {
  bgp_quads_from_device(stat, _BGP_TORUS_FIFO_STATUS0, 1);
}
__INLINE__ void _bgp_TorusGetStatus1(_BGP_TorusFifoStatus* stat) {
  bgp_quads_from_device(stat, _BGP_TORUS_FIFO_STATUS1, 1);
}

/* The header of a memory FIFO packet on dynamic routes to group dest_f of reception FIFOs; sw0 and sw1 are software's.
 */
__INLINE__ _BGP_TorusPacketHeader_t* _bgp_TorusMakeHeader(_BGP_TorusPacketHeader_t* hdr, int dest_x, int dest_y,
                                                          int dest_z, int dest_f, int hints, uint32_t sw0,
                                                          uint32_t sw1) {
  hdr->hwh0.word = 0;
  hdr->hwh0.CSum_Skip = 4;
  hdr->hwh0.Hint = (unsigned)hints;
  hdr->hwh0.Pid0 = (unsigned)dest_f;
  hdr->hwh0.Dynamic = _BGP_TORUS_PKT_DYNAMIC;
  hdr->hwh0.VC = _BGP_TORUS_PKT_VC_D0;
  hdr->hwh0.X = (unsigned)dest_x;
  hdr->hwh1.word = 0;
  hdr->hwh1.Y = (unsigned)dest_y;
  hdr->hwh1.Z = (unsigned)dest_z;
  hdr->hwh2.word = sw0;
  hdr->hwh3.word = sw1;
  return hdr;
}
/* Writes a packet with `bytes` bytes of payload, from a multiple of 16, into an injection FIFO that has room. */
__INLINE__ void _bgp_TorusInjectPacket(_BGP_TorusFifo_t* fifo, _BGP_TorusPacketHeader_t* header,
                                       _BGP_TorusPacketPayload_t* payload, int bytes) {
  const unsigned chunks = ((unsigned)bytes + 15u) >> 5; /* less 1 */
  header->hwh0.Chunks = chunks;
  bgp_quads_to_device((uint32_t)fifo, header, 1);
  bgp_quads_to_device((uint32_t)fifo, payload, 2 * chunks + 1);
}
/* Reads a packet; returns the bytes of its payload. */
__INLINE__ int _bgp_TorusReceivePacket(_BGP_TorusFifo_t* fifo, _BGP_TorusPacketHeader_t* header,
                                       _BGP_TorusPacketPayload_t* payload) {
  unsigned quads;
  bgp_quads_from_device(header, (uint32_t)fifo, 1);
  quads = 2 * header->hwh0.Chunks + 1;
  bgp_quads_from_device(payload, (uint32_t)fifo, quads);
  return (int)quads * 16;
}

__END_DECLS

#endif
