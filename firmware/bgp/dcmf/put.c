// SPDX-License-Identifier: Apache-2.0
// Puts: one descriptor. An acknowledged put is followed, on the same way, by a remote get of one byte, which the
// target's node cannot serve before the put's data has gone by.
#include "firmware/bgp/dcmf/memregion.h"

static void acknowledged(void* owner) {
  dcmf_request_t* request = owner;
  // What is acknowledged has been sent, though the ring may not have been looked at since.
  dcmf_ring_settle_request(request);
  if (request->due) dcmf_part_done(request);  // a put of no bytes, or without cb_done
  dcmf_call(&request->cb_ack);
}

static bool start_put(dcmf_operation_t* operation) {
  dcmf_request_t* request = operation->request;
  const bool ack = request && request->cb_ack.function;
  if (dcmf_is_held(operation) || !dcmf_ring_has(operation->ring, 2)) return false;
  if (ack && !dcmf_can_fetch(operation->rank)) return false;
  dcmf_request_t* owner = request && request->cb_done.function ? request : NULL;
  if (operation->bytes) {
    DMA_InjDescriptor_t descriptor;
    dcmf_put_descriptor(&descriptor, operation);
    dcmf_ring_inject(operation->ring, &descriptor, owner);
  } else if (owner && !ack) {
    dcmf_complete(owner);
  }
  if (ack) {
    // A byte of the other's scratch quad comes to the own one.
    const dcmf_fetch_t fetch = {
        operation->rank, operation->word[0], dcmf_instance->scratch, 1, acknowledged, request, false};
    dcmf_inject_fetch(operation->ring, &fetch);
  }
  return true;
}

DCMF_Result DCMF_Put_register(DCMF_Protocol_t* registration, DCMF_Put_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return (unsigned)configuration->protocol < DCMF_PUT_PROTOCOL_COUNT ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_Put(DCMF_Protocol_t* registration, DCMF_Request_t* memory, DCMF_Callback_t cb_done,
                     DCMF_Consistency consistency, size_t rank, size_t bytes, DCMF_Memregion_t* src_memregion,
                     DCMF_Memregion_t* dst_memregion, size_t src_offset, size_t dst_offset, DCMF_Callback_t cb_ack) {
  (void)registration;
  dcmf_state_t* state = dcmf_instance;
  if (rank >= state->size || bytes > UINT32_MAX) return DCMF_INVAL;
  dcmf_operation_t* operation = dcmf_prepare(memory, cb_done, (uint32_t)rank, bytes, consistency);
  if (!dcmf_region_address(src_memregion, src_offset, bytes, &operation->source) ||
      !dcmf_region_address(dst_memregion, dst_offset, bytes, &operation->destination)) {
    return DCMF_INVAL;
  }
  dcmf_request_t* request = dcmf_request_in(memory);
  const dcmf_region_t* region = (const dcmf_region_t*)(void*)dst_memregion;
  request->cb_ack = cb_ack;
  if (cb_ack.function) operation->request = request;
  operation->start = start_put;
  operation->ring = &state->rings[dcmf_peer((uint32_t)rank)->ring];
  operation->group = region->group;
  operation->counter = region->counter;
  operation->word[0] = region->scratch;
  dcmf_begin(operation);
  return DCMF_SUCCESS;
}
