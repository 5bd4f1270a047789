// SPDX-License-Identifier: Apache-2.0
// Puts: one descriptor. An acknowledged put is followed, on the same way, by a remote get, which the target's node
// cannot serve before the put's data has gone by. Its descriptor has that node's DMA send one byte: to a counter, which
// tells soonest, or, where few counters are left, in a packet into our reception FIFO. The target's core has no part in
// it.
#include "firmware/bgp/dcmf/memregion.h"

void dcmf_make_acknowledgements(void) {
  dcmf_state_t* state = dcmf_instance;
  state->acknowledgements = dcmf_allocate(sizeof *state->acknowledgements * DCMF_ACKNOWLEDGEMENTS, 16);
  for (uint32_t i = 0; i < DCMF_ACKNOWLEDGEMENTS; ++i) state->acknowledgements[i].next = i + 1;
}

static bool can_be_acknowledged(uint32_t rank) {
  const dcmf_state_t* state = dcmf_instance;
  return dcmf_peer(rank)->fetches < state->most_fetches && state->free_acknowledgement != DCMF_ACKNOWLEDGEMENTS;
}

static void acknowledged(void* owner) {
  dcmf_request_t* request = owner;
  // What is acknowledged has been sent, though the ring may not have been looked at since.
  dcmf_ring_settle_request(request);
  if (request->due) dcmf_part_done(request);  // a put of no bytes, or without cb_done
  dcmf_call(&request->cb_ack);
}

// Notes that the packet with the number that it returns acknowledges `request`.
static uint32_t expect_packet(dcmf_request_t* request, uint32_t rank) {
  dcmf_state_t* state = dcmf_instance;
  const uint32_t number = state->free_acknowledgement;
  dcmf_acknowledgement_t* due = &state->acknowledgements[number];
  state->free_acknowledgement = due->next;
  due->request = request;
  due->rank = rank;
  ++dcmf_peer(rank)->fetches;
  return number;
}

// The descriptor of the remote get that is to follow the put.
static void ask_for_acknowledgement(DMA_InjDescriptor_t* descriptor, const dcmf_operation_t* operation) {
  const uint32_t rank = operation->rank, scratch = operation->word[0];
  dcmf_request_t* request = operation->request;
  uint32_t physical;
  DMA_InjDescriptor_t* answer = (DMA_InjDescriptor_t*)(void*)dcmf_ring_bounce(operation->ring, &physical);
  if ((dcmf_instance->counters_busy & DCMF_COUNTERS_SOME) == DCMF_COUNTERS_SOME) {
    dcmf_acknowledge_descriptor(answer, rank, expect_packet(request, rank), scratch);
  } else {
    const unsigned counter = dcmf_counter_take(1, rank, acknowledged, request);
    dcmf_reply_descriptor(answer, rank, scratch, counter, dcmf_instance->scratch, 1, false);
  }
  dcmf_fetch_descriptor(descriptor, rank, physical);
}

void dcmf_take_acknowledged(uint32_t number, char* payload) {
  (void)payload;
  dcmf_state_t* state = dcmf_instance;
  if (number >= DCMF_ACKNOWLEDGEMENTS || state->acknowledgements[number].request == NULL)
    dcmf_fatal("an acknowledgement of put %u, which there is not", (unsigned)number);
  dcmf_acknowledgement_t* due = &state->acknowledgements[number];
  dcmf_request_t* request = due->request;
  due->request = NULL;
  due->next = state->free_acknowledgement;
  state->free_acknowledgement = number;
  --dcmf_peer(due->rank)->fetches;
  acknowledged(request);
}

static bool start_put(dcmf_operation_t* operation) {
  dcmf_request_t* request = operation->request;
  const bool ack = request && request->cb_ack.function;
  if (dcmf_is_held(operation) || !dcmf_ring_has(operation->ring, 2)) return false;
  if (ack && !can_be_acknowledged(operation->rank)) return false;
  dcmf_request_t* owner = request && request->cb_done.function ? request : NULL;
  DMA_InjDescriptor_t put, question;
  if (operation->bytes) {
    dcmf_put_descriptor(&put, operation);
  } else if (owner && !ack) {
    dcmf_complete(owner);
  }
  if (!ack) {
    if (operation->bytes) dcmf_ring_inject(operation->ring, &put, owner);
  } else if (operation->bytes && operation->bytes <= DCMF_PACKET_PAYLOAD) {
    ask_for_acknowledgement(&question, operation);
    dcmf_ring_inject_two(operation->ring, &put, &question, owner);
  } else {
    // Many packets need not wait for what follows them.
    if (operation->bytes) dcmf_ring_inject(operation->ring, &put, owner);
    ask_for_acknowledgement(&question, operation);
    dcmf_ring_inject(operation->ring, &question, NULL);
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
