// SPDX-License-Identifier: Apache-2.0
// Operations with counters, puts, and remote gets.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/operation.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/packet.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/hot.h"

enum {
  kLine = 128,
  kAtOnce = 32,
  // Longer messages may take any of the ways that zones leave open, between nodes that more than one dimension parts,
  // and what is fetched from the neighbour along E comes over both links.
  kDynamicBytes = 64 << 10
};

pami_result_t pami_operations_open(pami_context_impl_t* context) {
  pami_operations_t* operations = calloc(1, sizeof *operations);
  if (operations == NULL) return PAMI_ENOMEM;
  operations->waiting_end = &operations->waiting;
  context->operations = operations;
  return PAMI_SUCCESS;
}

// Memory of operations stays: the Messaging Unit may still count there.
void pami_operations_close(pami_context_impl_t* context) {
  free(context->operations);
}

HOT pami_operation_t* pami_operation_begin(pami_context_impl_t* context, pami_endpoint_t other) {
  pami_operations_t* operations = context->operations;
  if (operations->unused == NULL) {
    pami_operation_t* more;
    if (posix_memalign((void**)&more, kLine, kAtOnce * sizeof *more) != 0)
      pami_fatal("there is no memory for operations that are under way");
    for (unsigned i = 0; i < kAtOnce; ++i) {
      more[i].next = operations->unused;
      operations->unused = &more[i];
    }
  }
  pami_operation_t* operation = operations->unused;
  operations->unused = operation->next;
  ++operations->outstanding;
  operation->ended = NULL;
  operation->local_fn = NULL;
  operation->remote_fn = NULL;
  operation->arrival = 0;
  operation->is_get = false;
  operation->other = other;
  return operation;
}

HOT void pami_operation_end(pami_context_impl_t* context, pami_operation_t* operation) {
  pami_operations_t* operations = context->operations;
  operation->next = operations->unused;
  operations->unused = operation;
  --operations->outstanding;
}

HOT void pami_operation_tell(pami_context_impl_t* context, pami_operation_t* operation) {
  const pami_event_function local_fn = operation->local_fn, remote_fn = operation->remote_fn;
  void* cookie = operation->cookie;
  pami_operation_end(context, operation);
  if (local_fn != NULL) local_fn(context, cookie, PAMI_SUCCESS);
  if (remote_fn != NULL) remote_fn(context, cookie, PAMI_SUCCESS);
}

HOT void pami_operation_count(pami_context_impl_t* context, pami_operation_t* operation, uint64_t bytes) {
  operation->counter = bytes;
  operation->next = context->operations->counting;
  context->operations->counting = operation;
}

static void set_put(MUHWI_Descriptor_t* descriptor, uint64_t to, uint64_t counter) {
  MUSPI_SetMessageUnitPacketType(descriptor, MUHWI_PACKET_TYPE_PUT);
  MUSPI_SetRecPayloadBaseAddressInfo(descriptor, PAMI_BASE_MEMORY, to);
  MUSPI_SetRecCounterBaseAddressInfo(descriptor, PAMI_BASE_COUNTER, counter);
}

HOT_OF_PUTS void pami_put(pami_context_impl_t* context, const pami_peer_t* peer, uint64_t from, uint64_t to,
                          uint64_t counter, uint64_t bytes, pami_injected_t injected) {
  MUHWI_Descriptor_t descriptor;
  pami_describe(&descriptor, peer, from, bytes);
  set_put(&descriptor, to, counter);
  if (counter == 0) MUSPI_SetRecCounterBaseAddressInfo(&descriptor, PAMI_BASE_SINK, 0);
  pami_ring_inject(pami_ring_to(context, peer), &descriptor, NULL, 0, injected);
}

// By the machine's message layer: where routes of dimensions A to D are neither short nor long for the machine, zone 2
// or 3; else 0 or 3. Fewer nodes than a rack's 1024 count as a rack.
static void choose_way(MUHWI_Descriptor_t* put, const pami_peer_t* peer, uint64_t bytes) {
  if (bytes <= kDynamicBytes || peer->dimensions < 2) return;
  const bool racks = pami_job.nodes > 1024;
  const bool medium = peer->flexibility >= 1500 && peer->flexibility <= 3500;
  const uint8_t zone = medium ? (racks ? MUHWI_PACKET_ZONE_ROUTING_3 : MUHWI_PACKET_ZONE_ROUTING_2)
                              : (pami_job.nodes >= 1024 ? MUHWI_PACKET_ZONE_ROUTING_0 : MUHWI_PACKET_ZONE_ROUTING_3);
  MUSPI_SetPt2PtVirtualChannel(put, MUHWI_PACKET_VIRTUAL_CHANNEL_DYNAMIC);
  MUSPI_SetRouting(put, MUHWI_PACKET_USE_DYNAMIC_ROUTING);
  MUSPI_SetZoneRouting(put, zone);
  MUSPI_SetTorusInjectionFIFOMap(put, peer->back_ways);
}

static bool take_room(uint32_t node) {
  if (__atomic_fetch_add(&pami_job.gets[node], 1, __ATOMIC_ACQ_REL) < pami_job.gets_max) return true;
  __atomic_fetch_sub(&pami_job.gets[node], 1, __ATOMIC_ACQ_REL);
  return false;
}

// Two links lead to the neighbour along E, the dimension that is a ring of two nodes on the machine.
static bool has_two_links(const pami_peer_t* peer) {
  return peer->dimensions == 1 && peer->back / 2 == PAMI_E && pami_job.size[PAMI_E] == 2 && pami_job.torus[PAMI_E];
}

// `direction`: the first link of what is put.
HOT_OF_GETS static void ask_for(pami_context_impl_t* context, const pami_peer_t* peer, const MUHWI_Descriptor_t* put,
                                unsigned direction) {
  MUHWI_Descriptor_t descriptor;
  pami_describe(&descriptor, peer, 0, sizeof *put);
  MUSPI_SetMessageUnitPacketType(&descriptor, MUHWI_PACKET_TYPE_GET);
  MUSPI_SetRemoteGetInjFIFOId(&descriptor, pami_remote_get_id(direction));
  pami_ring_inject(pami_ring_to(context, peer), &descriptor, put, sizeof *put, (pami_injected_t){0});
}

// Routers take the same link for all packets to a neighbour; a hint makes them take the other one.
static void ask_for_rest(pami_context_impl_t* context, const pami_peer_t* peer, const pami_operation_t* operation) {
  const unsigned direction = peer->back ^ 1u;
  const uint64_t first = operation->put.Message_Length;
  MUHWI_Descriptor_t put = operation->put;
  MUSPI_SetPayload(&put, operation->put.Pa_Payload + first, operation->apart);
  MUSPI_SetRecPayloadBaseAddressInfo(&put, PAMI_BASE_MEMORY, operation->to + first);
  MUSPI_SetHints(&put, 0, direction % 2 ? MUHWI_PACKET_HINT_EM : MUHWI_PACKET_HINT_EP);
  MUSPI_SetTorusInjectionFIFOMap(&put, pami_direction_map(direction));
  ask_for(context, peer, &put, direction);
}

HOT_OF_GETS static void ask(pami_context_impl_t* context, pami_operation_t* operation) {
  const pami_peer_t* peer = pami_peer(pami_task_of(operation->other));
  ask_for(context, peer, &operation->put, peer->back);
  if (operation->apart != 0) ask_for_rest(context, peer, operation);
  operation->next = context->operations->counting;
  context->operations->counting = operation;
}

HOT_OF_GETS void pami_remote_get(pami_context_impl_t* context, pami_operation_t* operation, uint64_t from, uint64_t to,
                                 uint64_t bytes) {
  pami_operations_t* operations = context->operations;
  const pami_peer_t* peer = pami_peer(pami_task_of(operation->other));
  const pami_peer_t* self = pami_peer(pami_job.me);
  operation->counter = bytes;
  operation->is_get = true;
  operation->node = peer->node;
  operation->to = to;
  operation->apart = bytes > kDynamicBytes && has_two_links(peer) ? bytes / 2 : 0;
  pami_describe(&operation->put, self, from, bytes - operation->apart);
  MUSPI_SetTorusInjectionFIFOMap(&operation->put, peer->back_map);
  set_put(&operation->put, to, pami_physical(&operation->counter, "a counter"));
  choose_way(&operation->put, peer, bytes);
  if (operations->waiting == NULL && take_room(operation->node)) {
    ask(context, operation);
    return;
  }
  operation->next = NULL;
  *operations->waiting_end = operation;
  operations->waiting_end = &operation->next;
}

static unsigned look_at_counters(pami_context_impl_t* context) {
  unsigned events = 0;
  for (pami_operation_t** link = &context->operations->counting; *link != NULL;) {
    pami_operation_t* operation = *link;
    if (operation->counter != 0) {
      link = &operation->next;
      continue;
    }
    *link = operation->next;
    if (operation->is_get) __atomic_fetch_sub(&pami_job.gets[operation->node], 1, __ATOMIC_ACQ_REL);
    if (events++ == 0) ppc_msync();  // what has been counted is there
    operation->ended(context, operation);
  }
  return events;
}

HOT unsigned pami_operations_settle(pami_context_impl_t* context) {
  pami_operations_t* operations = context->operations;
  unsigned events = 0;
  if (operations->counting != NULL) events = look_at_counters(context);
  while (operations->waiting != NULL) {
    pami_operation_t* first = operations->waiting;
    if (__atomic_load_n(&pami_job.gets[first->node], __ATOMIC_RELAXED) >= pami_job.gets_max || !take_room(first->node))
      break;
    operations->waiting = first->next;
    if (operations->waiting == NULL) operations->waiting_end = &operations->waiting;
    ask(context, first);
    ++events;
  }
  return events;
}
