/* SPDX-License-Identifier: Apache-2.0 */
#include "drivers/bgp/spi_internal.h"

/* The machine's size, for the check of coordinates; read from the kernel once. Processes of one node have one each. */
static DMA_PersonalityInfo_t known;

static const DMA_PersonalityInfo_t* personality(void) {
  if (!known.personalityRetrieved) {
    _BGP_Personality_t all;
    if (Kernel_GetPersonality(&all, sizeof all) != 0) SPI_abort();
    known.nodeXCoordinate = all.Network_Config.Xcoord;
    known.nodeYCoordinate = all.Network_Config.Ycoord;
    known.nodeZCoordinate = all.Network_Config.Zcoord;
    known.xNodes = all.Network_Config.Xnodes;
    known.yNodes = all.Network_Config.Ynodes;
    known.zNodes = all.Network_Config.Znodes;
    known.personalityRetrieved = 1;
  }
  return &known;
}

/* What all messages have: an injection counter, and the bytes behind its base. */
static void begin(DMA_InjDescriptor_t* desc, unsigned int group, unsigned int counter, unsigned int offset,
                  unsigned int bytes) {
  SPI_assert(desc != NULL);
  SPI_assert(group < DMA_NUM_COUNTER_GROUPS);
  SPI_assert(counter < DMA_NUM_COUNTERS_PER_GROUP);
  DMA_ZeroOutDescriptor(desc);
  desc->idma_counterId = group * DMA_NUM_COUNTERS_PER_GROUP + counter;
  desc->base_offset = offset;
  desc->msg_length = bytes;
}

static void to_torus(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z, unsigned int hints,
                     unsigned int vc) {
  SPI_assert(hints <= 0x3F);
  SPI_assert_debug(x < personality()->xNodes);
  SPI_assert_debug(y < personality()->yNodes);
  SPI_assert_debug(z < personality()->zNodes);
  desc->hwHdr.X = x;
  desc->hwHdr.Y = y;
  desc->hwHdr.Z = z;
  DMA_SetHints(desc, hints);
  DMA_SetVc(desc, vc);
  DMA_SetInjCsum(desc, DMA_CSUM_SKIP, DMA_CSUM_BIT);
}

static void to_self(DMA_InjDescriptor_t* desc) {
  desc->local_memcopy = 1;
}

/* To the nodes of the line in the direction of the hint, up to the coordinate `dest`. */
static void to_line(DMA_InjDescriptor_t* desc, unsigned int dest, unsigned int hints) {
  const DMA_PersonalityInfo_t* node = personality();
  unsigned int x = node->nodeXCoordinate, y = node->nodeYCoordinate, z = node->nodeZCoordinate;
  switch (hints) {
    case DMA_PACKET_HINT_XP:
    case DMA_PACKET_HINT_XM:
      x = dest;
      break;
    case DMA_PACKET_HINT_YP:
    case DMA_PACKET_HINT_YM:
      y = dest;
      break;
    case DMA_PACKET_HINT_ZP:
    case DMA_PACKET_HINT_ZM:
      z = dest;
      break;
    default: /* more than one direction, or none */
      SPI_abort();
  }
  to_torus(desc, x, y, z, hints, DMA_PACKET_VC_BN);
  desc->hwHdr.Dp = DMA_PACKET_CLASS;
}

/* The largest packets that the message fills. */
static void set_packets(DMA_InjDescriptor_t* desc) {
  DMA_SetChunks(desc, (unsigned)DMA_PacketChunks(desc->msg_length));
}

/* What becomes of the bytes. */
static void put(DMA_InjDescriptor_t* desc, unsigned int group, unsigned int counter, unsigned int offset) {
  SPI_assert(group < DMA_NUM_COUNTER_GROUPS);
  SPI_assert(counter < DMA_NUM_COUNTERS_PER_GROUP);
  DMA_SetDescriptorPids(desc, group);
  set_packets(desc);
  desc->hwHdr.Dm = 1;
  desc->hwHdr.Put_Offset = offset;
  desc->hwHdr.rDMA_Counter = group * DMA_NUM_COUNTERS_PER_GROUP + counter;
}

static void get(DMA_InjDescriptor_t* desc, unsigned int group, unsigned int fifo) {
  SPI_assert(group < DMA_NUM_INJ_FIFO_GROUPS);
  SPI_assert(fifo < DMA_NUM_INJ_FIFOS_PER_GROUP);
  DMA_SetDescriptorPids(desc, group);
  DMA_SetChunks(desc, 2); /* the header, a descriptor, and a quad of nothing */
  desc->hwHdr.Dm = 1;
  desc->hwHdr.Flags = 1;
  desc->hwHdr.iDMA_Fifo_ID = group * DMA_NUM_INJ_FIFOS_PER_GROUP + fifo;
}

static void append(DMA_InjDescriptor_t* desc, unsigned int group, unsigned int argument, unsigned int function) {
  SPI_assert(group < DMA_NUM_REC_FIFO_GROUPS);
  SPI_assert(function < 256);
  DMA_SetDescriptorPids(desc, group);
  set_packets(desc);
  desc->hwHdr.SW_Arg = argument;
  desc->hwHdr.Func_Id = function;
}

int DMA_TorusDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                                 unsigned int hints, unsigned int vc, unsigned int inj_ctr_grp_id,
                                 unsigned int inj_ctr_id, unsigned int send_offset, unsigned int recv_ctr_grp_id,
                                 unsigned int recv_ctr_id, unsigned int recv_offset, unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_torus(desc, x, y, z, hints, vc);
  put(desc, recv_ctr_grp_id, recv_ctr_id, recv_offset);
  return 0;
}

int DMA_LocalDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                 unsigned int send_offset, unsigned int recv_ctr_grp_id, unsigned int recv_ctr_id,
                                 unsigned int recv_offset, unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_self(desc);
  put(desc, recv_ctr_grp_id, recv_ctr_id, recv_offset);
  return 0;
}

int DMA_LocalPrefetchOnlyDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                    unsigned int send_offset, unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_self(desc);
  set_packets(desc);
  desc->prefetch_only = 1;
  desc->hwHdr.Dm = 1;
  return 0;
}

int DMA_TorusRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                                 unsigned int hints, unsigned int vc, unsigned int inj_ctr_grp_id,
                                 unsigned int inj_ctr_id, unsigned int send_offset, unsigned int recv_inj_fifo_grp_id,
                                 unsigned int recv_inj_fifo_id) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, sizeof(DMA_InjDescriptor_t));
  to_torus(desc, x, y, z, hints, vc);
  get(desc, recv_inj_fifo_grp_id, recv_inj_fifo_id);
  DMA_SetInjCsum(desc, 0, 1); /* a descriptor is not the same in every run */
  return 0;
}

int DMA_LocalRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                                 unsigned int send_offset, unsigned int recv_inj_fifo_grp_id,
                                 unsigned int recv_inj_fifo_id) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, sizeof(DMA_InjDescriptor_t));
  to_self(desc);
  get(desc, recv_inj_fifo_grp_id, recv_inj_fifo_id);
  return 0;
}

int DMA_TorusMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned int x, unsigned int y, unsigned int z,
                               unsigned int recv_fifo_grp_id, unsigned int hints, unsigned int vc, unsigned int sw_arg,
                               unsigned int function_id, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                               unsigned int send_offset, unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_torus(desc, x, y, z, hints, vc);
  append(desc, recv_fifo_grp_id, sw_arg, function_id);
  return 0;
}

int DMA_LocalMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned int recv_fifo_grp_id, unsigned int sw_arg,
                               unsigned int function_id, unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id,
                               unsigned int send_offset, unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_self(desc);
  append(desc, recv_fifo_grp_id, sw_arg, function_id);
  return 0;
}

int DMA_TorusDirectPutBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned int dest, unsigned int hints,
                                      unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id, unsigned int send_offset,
                                      unsigned int recv_ctr_grp_id, unsigned int recv_ctr_id, unsigned int recv_offset,
                                      unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_line(desc, dest, hints);
  put(desc, recv_ctr_grp_id, recv_ctr_id, recv_offset);
  return 0;
}

int DMA_TorusMemFifoBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned int dest, unsigned int recv_fifo_grp_id,
                                    unsigned int hints, unsigned int sw_arg, unsigned int function_id,
                                    unsigned int inj_ctr_grp_id, unsigned int inj_ctr_id, unsigned int send_offset,
                                    unsigned int msg_len) {
  begin(desc, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_line(desc, dest, hints);
  append(desc, recv_fifo_grp_id, sw_arg, function_id);
  return 0;
}
