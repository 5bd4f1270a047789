// SPDX-License-Identifier: Apache-2.0
// Gets: a remote get, in which the descriptor of a put goes to the other node's DMA, which carries it out.
#include "firmware/bgp/dcmf/memregion.h"

bool dcmf_can_fetch(uint32_t rank) {
  const dcmf_state_t* state = dcmf_instance;
  return dcmf_peer(rank)->fetches < state->most_fetches && state->counters_busy != DCMF_COUNTERS_ALL;
}

void dcmf_inject_fetch(dcmf_ring_t* ring, const dcmf_fetch_t* fetch) {
  const unsigned counter = dcmf_counter_take(fetch->bytes, fetch->rank, fetch->hit, fetch->owner);
  uint32_t physical;
  DMA_InjDescriptor_t* reply = (DMA_InjDescriptor_t*)(void*)dcmf_ring_bounce(ring, &physical);
  dcmf_reply_descriptor(reply, fetch->rank, fetch->source, counter, fetch->destination, fetch->bytes, fetch->spread);
  DMA_InjDescriptor_t descriptor;
  dcmf_fetch_descriptor(&descriptor, fetch->rank, physical);
  dcmf_ring_inject(ring, &descriptor, NULL);
}

bool dcmf_start_fetch(dcmf_operation_t* operation) {
  if (!dcmf_ring_has(operation->ring, 1) || !dcmf_can_fetch(operation->rank)) return false;
  const dcmf_fetch_t fetch = {operation->rank,
                              operation->source,
                              operation->destination,
                              operation->bytes,
                              operation->hit,
                              operation->owner,
                              operation->consistency != DCMF_SEQUENTIAL_CONSISTENCY};
  dcmf_inject_fetch(operation->ring, &fetch);
  return true;
}

static void arrived(void* owner) {
  dcmf_request_t* request = owner;
  if (request) dcmf_part_done(request);
}

static bool start_get(dcmf_operation_t* operation) {
  if (dcmf_is_held(operation)) return false;
  if (operation->bytes) return dcmf_start_fetch(operation);
  if (operation->request) dcmf_complete(operation->request);
  return true;
}

DCMF_Result DCMF_Get_register(DCMF_Protocol_t* registration, DCMF_Get_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return (unsigned)configuration->protocol < DCMF_GET_PROTOCOL_COUNT ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_Get(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                     DCMF_Consistency consistency, size_t rank, size_t bytes, DCMF_Memregion_t* src_memregion,
                     DCMF_Memregion_t* dst_memregion, size_t src_offset, size_t dst_offset) {
  (void)registration;
  dcmf_state_t* state = dcmf_instance;
  if (rank >= state->size || bytes > UINT32_MAX) return DCMF_INVAL;
  dcmf_operation_t* operation = dcmf_prepare(request, cb_done, (uint32_t)rank, bytes, consistency);
  if (!dcmf_region_address(src_memregion, src_offset, bytes, &operation->source) ||
      !dcmf_region_address(dst_memregion, dst_offset, bytes, &operation->destination)) {
    return DCMF_INVAL;
  }
  operation->start = start_get;
  operation->ring = &state->rings[dcmf_peer((uint32_t)rank)->ring];
  operation->hit = arrived;
  operation->owner = operation->request;
  dcmf_begin(operation);
  return DCMF_SUCCESS;
}
