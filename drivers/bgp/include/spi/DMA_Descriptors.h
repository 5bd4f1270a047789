/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injection descriptors: what the DMA is to send, 32 bytes (nic/bgp/dma_descriptor.h says more). The builders fill in a
 * whole descriptor. They return 0; wrong arguments are caught by SPI_assert alone.
 *
 * Offsets are bytes from a counter's base: send_offset from that of the injection counter, recv_offset from that of the
 * reception counter. Counters and FIFOs are named by group and by number in it.
 */
#ifndef _DMA_DESCRIPTORS_H_
#define _DMA_DESCRIPTORS_H_

#include <bpcore/bgp_types.h>
#include <common/alignment.h>
#include <common/bgp_bitnumbers.h>
#include <common/namespace.h>
#include <spi/DMA_Assert.h>
#include <spi/DMA_Packet.h>

__BEGIN_DECLS

/* The checksum leaves out the header, 8 half-words, and counts the rest. */
#define DMA_CSUM_SKIP 8
#define DMA_CSUM_BIT 0

typedef struct DMA_InjDescriptor_t {
  __extension__ union {
    unsigned word1;
    __extension__ struct {
      unsigned rsvd0 : 24;
      unsigned rsvd1 : 6;
      unsigned prefetch_only : 1;
      unsigned local_memcopy : 1;
    };
  };
  __extension__ union {
    unsigned word2;
    __extension__ struct {
      unsigned rsvd2 : 24;
      unsigned idma_counterId : 8; /* 64 x group + number */
    };
  };
  unsigned base_offset;
  unsigned msg_length;
  DMA_PacketHeader_t hwHdr;
} ALIGN_QUADWORD DMA_InjDescriptor_t;

typedef struct DMA_PersonalityInfo_t {
  unsigned int personalityRetrieved;
  uint8_t nodeXCoordinate;
  uint8_t nodeYCoordinate;
  uint8_t nodeZCoordinate;
  uint8_t xNodes;
  uint8_t yNodes;
  uint8_t zNodes;
} DMA_PersonalityInfo_t;

/* To memory at a node, or at this node. */
int DMA_TorusDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                                 unsigned int hints, unsigned int vc, unsigned int inj_ctr_grp_id,
                                 unsigned int inj_ctr_id, unsigned int send_offset, unsigned int recv_ctr_grp_id,
                                 unsigned int recv_ctr_id, unsigned int recv_offset, unsigned int msg_len);
int DMA_LocalDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                 unsigned int send_offset, unsigned int recv_ctr_grp_id, unsigned int recv_ctr_id,
                                 unsigned int recv_offset, unsigned int msg_len);

/* From memory into the L3 cache alone. */
int DMA_LocalPrefetchOnlyDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                    unsigned int send_offset, unsigned int msg_len);

/* A descriptor, at send_offset, into an injection FIFO of a node or of this node, where it is carried out. */
int DMA_TorusRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                                 unsigned int hints, unsigned int vc, unsigned int inj_ctr_grp_id,
                                 unsigned int inj_ctr_id, unsigned int send_offset, unsigned int recv_inj_fifo_grp_id,
                                 unsigned int recv_inj_fifo_id);
int DMA_LocalRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                 unsigned int send_offset, unsigned int recv_inj_fifo_grp_id,
                                 unsigned int recv_inj_fifo_id);

/* Packets into a reception FIFO of a node or of this node, for the receive function function_id. */
int DMA_TorusMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                               unsigned int recv_fifo_grp_id, unsigned int hints, unsigned int vc, unsigned int sw_arg,
                               unsigned int function_id, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                               unsigned int send_offset, unsigned int msg_len);
int DMA_LocalMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned int recv_fifo_grp_id, unsigned int sw_arg,
                               unsigned int function_id, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                               unsigned int send_offset, unsigned int msg_len);

/* The same to all nodes of a line: those from this one, without it, to the coordinate dest in the direction of the one
 * hint. */
int DMA_TorusDirectPutBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned int dest, unsigned int hints,
                                      unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id, unsigned int send_offset,
                                      unsigned int recv_ctr_grp_id, unsigned int recv_ctr_id, unsigned int recv_offset,
                                      unsigned int msg_len);
int DMA_TorusMemFifoBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned int dest, unsigned int recv_fifo_grp_id,
                                    unsigned int hints, unsigned int sw_arg, unsigned int function_id,
                                    unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id, unsigned int send_offset,
                                    unsigned int msg_len);

/* Parts of a descriptor. */
__INLINE__ void DMA_SetHints(DMA_InjDescriptor_t* desc, unsigned int hints) {
  SPI_assert(desc != NULL);
  desc->hwHdr.Hint = hints;
}
/* The virtual channel decides about the route as well. */
__INLINE__ void DMA_SetVc(DMA_InjDescriptor_t* desc, unsigned int vc) {
  SPI_assert(desc != NULL);
  SPI_assert(vc <= DMA_PACKET_VC_BP);
  desc->hwHdr.VC = vc;
  desc->hwHdr.Dynamic = vc <= DMA_PACKET_VC_D1 ? DMA_PACKET_DYNAMIC : DMA_PACKET_DETERMINSTIC;
}
/* The row of the map of reception FIFOs: that of group g. */
__INLINE__ void DMA_SetDescriptorPids(DMA_InjDescriptor_t* desc, unsigned int g) {
  desc->hwHdr.Pid0 = _GN(g, 30);
  desc->hwHdr.Pid1 = _GN(g, 31);
}
/* Packets of 1 to 8 chunks of 32 bytes. */
__INLINE__ void DMA_SetChunks(DMA_InjDescriptor_t* desc, unsigned int packet_chunks) {
  SPI_assert(desc != NULL);
  SPI_assert(packet_chunks >= 1 && packet_chunks <= 8);
  desc->hwHdr.Chunks = packet_chunks - 1;
}
__INLINE__ void DMA_SetMessageLength(DMA_InjDescriptor_t* desc, unsigned int msg_len) {
  SPI_assert(desc != NULL);
  desc->msg_length = msg_len;
}
__INLINE__ void DMA_SetInjCsum(DMA_InjDescriptor_t* desc, unsigned int csum_skip, unsigned int skip) {
  SPI_assert(desc != NULL);
  SPI_assert(skip <= 1);
  desc->hwHdr.CSum_Skip = csum_skip;
  desc->hwHdr.Sk = skip;
}
/* Chunks of the packets of a message: the smallest packet that holds it with its header, or the largest. */
__INLINE__ int DMA_PacketChunks(unsigned msg_len) {
  SPI_assert(msg_len > 0);
  if (msg_len > 7 * 32 - sizeof(DMA_PacketHeader_t)) return 8;
  return (int)((msg_len + sizeof(DMA_PacketHeader_t) + 31) / 32);
}
__INLINE__ void DMA_ZeroOutDescriptor(DMA_InjDescriptor_t* desc) {
  SPI_assert(desc != NULL);
  desc->word1 = desc->word2 = desc->base_offset = desc->msg_length = 0;
  desc->hwHdr.word0 = desc->hwHdr.word1 = desc->hwHdr.word2 = desc->hwHdr.word3 = 0;
}
__INLINE__ void DMA_DescriptorUpdateOffsetLength(DMA_InjDescriptor_t* desc, unsigned offset, unsigned length) {
  desc->base_offset = offset;
  desc->msg_length = length;
}
__INLINE__ void DMA_DescriptorSetPutOffset(DMA_InjDescriptor_t* desc, unsigned offset) {
  desc->hwHdr.Put_Offset = offset;
}

__END_DECLS

#endif
