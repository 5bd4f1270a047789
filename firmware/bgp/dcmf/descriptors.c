// SPDX-License-Identifier: Apache-2.0
// Descriptors. Addresses are physical: the counters' bases are 0.
#include "firmware/bgp/dcmf/state.h"

// Packets of messages keep to one way, so that they stay in order; the hardware chooses it.
enum { NO_HINTS = 0 };

void dcmf_packet_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, dcmf_packet_t kind, uint32_t source,
                            uint32_t bytes) {
  const dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  if (dcmf_is_local(peer)) {
    DMA_LocalMemFifoDescriptor(descriptor, peer->group, state->rank, state->function[kind], state->group,
                               DCMF_COUNTER_MEMORY, source, bytes);
  } else {
    DMA_TorusMemFifoDescriptor(descriptor, peer->x, peer->y, peer->z, peer->group, NO_HINTS, DMA_PACKET_VC_BN,
                               state->rank, state->function[kind], state->group, DCMF_COUNTER_MEMORY, source, bytes);
  }
}

void dcmf_put_descriptor(DMA_InjDescriptor_t* descriptor, const dcmf_operation_t* operation) {
  const dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(operation->rank);
  if (dcmf_is_local(peer)) {
    DMA_LocalDirectPutDescriptor(descriptor, state->group, DCMF_COUNTER_MEMORY, operation->source, operation->group,
                                 operation->counter, operation->destination, operation->bytes);
  } else {
    DMA_TorusDirectPutDescriptor(descriptor, peer->x, peer->y, peer->z, NO_HINTS, DMA_PACKET_VC_BN, state->group,
                                 DCMF_COUNTER_MEMORY, operation->source, operation->group, operation->counter,
                                 operation->destination, operation->bytes);
  }
}

void dcmf_fetch_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t descriptors) {
  const dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  if (dcmf_is_local(peer)) {
    DMA_LocalRemoteGetDescriptor(descriptor, state->group, DCMF_COUNTER_MEMORY, descriptors, peer->group, peer->fetch);
  } else {
    DMA_TorusRemoteGetDescriptor(descriptor, peer->x, peer->y, peer->z, NO_HINTS, DMA_PACKET_VC_BN, state->group,
                                 DCMF_COUNTER_MEMORY, descriptors, peer->group, peer->fetch);
  }
}

void dcmf_reply_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t source, unsigned counter,
                           uint32_t destination, uint32_t bytes, bool spread) {
  const dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* peer = dcmf_peer(rank);
  const uint8_t* self = state->place.self;
  if (dcmf_is_local(peer)) {
    DMA_LocalDirectPutDescriptor(descriptor, peer->group, DCMF_COUNTER_MEMORY, source, state->group, counter,
                                 destination, bytes);
  } else {
    DMA_TorusDirectPutDescriptor(descriptor, self[0], self[1], self[2], peer->here,
                                 spread ? DMA_PACKET_VC_D0 : DMA_PACKET_VC_BN, peer->group, DCMF_COUNTER_MEMORY, source,
                                 state->group, counter, destination, bytes);
  }
}
