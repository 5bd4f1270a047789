// SPDX-License-Identifier: Apache-2.0
// Descriptors. Addresses are physical: the counters' bases are 0.
//
// Programs send much to the same few ranks, and to build a descriptor takes many times as long as to copy one: so the
// last one of each kind is kept for each ring, and only what differs is filled in.
#include "firmware/bgp/dcmf/state.h"

// Packets of messages keep to one way, so that they stay in order; the hardware chooses it.
enum { NO_HINTS = 0 };

// The one kept for messages of this kind to this rank, or NULL; `detail` is all else that is in it.
static const DMA_InjDescriptor_t* kept(dcmf_template_t* place, uint32_t rank, uint32_t detail) {
  if (place->rank == rank + 1 && place->detail == detail) return &place->descriptor;
  place->rank = rank + 1;
  place->detail = detail;
  return NULL;
}

static void fill_in(DMA_InjDescriptor_t* descriptor, uint32_t source, uint32_t bytes) {
  DMA_DescriptorUpdateOffsetLength(descriptor, source, bytes);
  DMA_SetChunks(descriptor, (unsigned)DMA_PacketChunks(bytes));
}

void dcmf_packet_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, dcmf_packet_t kind, uint32_t source,
                            uint32_t bytes) {
  dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  dcmf_template_t* place = &state->templates[peer->ring][DCMF_TEMPLATE_PACKET];
  const DMA_InjDescriptor_t* like = kept(place, rank, kind);
  if (like) {
    *descriptor = *like;
    fill_in(descriptor, source, bytes);
    return;
  }
  if (dcmf_is_local(peer)) {
    DMA_LocalMemFifoDescriptor(descriptor, peer->group, state->rank, state->function[kind], state->group,
                               DCMF_COUNTER_MEMORY, source, bytes);
  } else {
    DMA_TorusMemFifoDescriptor(descriptor, peer->x, peer->y, peer->z, peer->group, NO_HINTS, DMA_PACKET_VC_BN,
                               state->rank, state->function[kind], state->group, DCMF_COUNTER_MEMORY, source, bytes);
  }
  place->descriptor = *descriptor;
}

void dcmf_put_descriptor(DMA_InjDescriptor_t* descriptor, const dcmf_operation_t* operation) {
  dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(operation->rank);
  dcmf_template_t* place = &state->templates[peer->ring][DCMF_TEMPLATE_PUT];
  const DMA_InjDescriptor_t* like = kept(place, operation->rank, (uint32_t)operation->group << 8 | operation->counter);
  if (like) {
    *descriptor = *like;
    fill_in(descriptor, operation->source, operation->bytes);
    DMA_DescriptorSetPutOffset(descriptor, operation->destination);
    return;
  }
  if (dcmf_is_local(peer)) {
    DMA_LocalDirectPutDescriptor(descriptor, state->group, DCMF_COUNTER_MEMORY, operation->source, operation->group,
                                 operation->counter, operation->destination, operation->bytes);
  } else {
    DMA_TorusDirectPutDescriptor(descriptor, peer->x, peer->y, peer->z, NO_HINTS, DMA_PACKET_VC_BN, state->group,
                                 DCMF_COUNTER_MEMORY, operation->source, operation->group, operation->counter,
                                 operation->destination, operation->bytes);
  }
  place->descriptor = *descriptor;
}

void dcmf_fetch_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t descriptors) {
  dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  dcmf_template_t* place = &state->templates[peer->ring][DCMF_TEMPLATE_FETCH];
  const DMA_InjDescriptor_t* like = kept(place, rank, 0);
  if (like) {
    *descriptor = *like;
    DMA_DescriptorUpdateOffsetLength(descriptor, descriptors, sizeof *descriptor);
    return;
  }
  if (dcmf_is_local(peer)) {
    DMA_LocalRemoteGetDescriptor(descriptor, state->group, DCMF_COUNTER_MEMORY, descriptors, peer->group, peer->fetch);
  } else {
    DMA_TorusRemoteGetDescriptor(descriptor, peer->x, peer->y, peer->z, NO_HINTS, DMA_PACKET_VC_BN, state->group,
                                 DCMF_COUNTER_MEMORY, descriptors, peer->group, peer->fetch);
  }
  place->descriptor = *descriptor;
}

void dcmf_reply_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t source, unsigned counter,
                           uint32_t destination, uint32_t bytes, bool spread) {
  dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  const uint8_t* self = state->place.self;
  dcmf_template_t* place = &state->templates[peer->ring][DCMF_TEMPLATE_REPLY];
  const DMA_InjDescriptor_t* like = kept(place, rank, counter << 1 | spread);
  if (like) {
    *descriptor = *like;
    fill_in(descriptor, source, bytes);
    DMA_DescriptorSetPutOffset(descriptor, destination);
    return;
  }
  if (dcmf_is_local(peer)) {
    DMA_LocalDirectPutDescriptor(descriptor, peer->group, DCMF_COUNTER_MEMORY, source, state->group, counter,
                                 destination, bytes);
  } else {
    DMA_TorusDirectPutDescriptor(descriptor, self[0], self[1], self[2], peer->here,
                                 spread ? DMA_PACKET_VC_D0 : DMA_PACKET_VC_BN, peer->group, DCMF_COUNTER_MEMORY, source,
                                 state->group, counter, destination, bytes);
  }
  place->descriptor = *descriptor;
}

void dcmf_acknowledge_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t number, uint32_t scratch) {
  enum { LEAST = 1 };  // byte of a message
  dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  const uint8_t* self = state->place.self;
  dcmf_template_t* place = &state->templates[peer->ring][DCMF_TEMPLATE_ACKNOWLEDGE];
  const DMA_InjDescriptor_t* like = kept(place, rank, scratch);
  if (like) {
    *descriptor = *like;
    descriptor->hwHdr.SW_Arg = number;
    return;
  }
  const uint32_t function = state->function[DCMF_PACKET_ACKNOWLEDGED];
  if (dcmf_is_local(peer)) {
    DMA_LocalMemFifoDescriptor(descriptor, state->group, number, function, peer->group, DCMF_COUNTER_MEMORY, scratch,
                               LEAST);
  } else {
    DMA_TorusMemFifoDescriptor(descriptor, self[0], self[1], self[2], state->group, NO_HINTS, DMA_PACKET_VC_BN, number,
                               function, peer->group, DCMF_COUNTER_MEMORY, scratch, LEAST);
  }
  place->descriptor = *descriptor;
}
