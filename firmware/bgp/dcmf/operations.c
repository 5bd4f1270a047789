// SPDX-License-Identifier: Apache-2.0
// Operations: started now, or in their turn.
#include "firmware/bgp/dcmf/state.h"

_Static_assert(sizeof(dcmf_request_t) <= sizeof(DCMF_Request_t), "a request holds what it has to");

static void stall(const dcmf_operation_t* operation) {
  dcmf_state_t* state = dcmf_instance;
  dcmf_ring_t* ring = operation->ring;
  dcmf_stalled_t* stalled = dcmf_pool_take(&state->stalled_pool, sizeof *stalled);
  stalled->operation = *operation;
  stalled->next = NULL;
  if (operation->data && operation->bytes <= sizeof stalled->data) {
    memcpy(stalled->data, operation->data, operation->bytes);
    stalled->operation.data = stalled->data;
  }
  if (ring->first) {
    ring->last->next = stalled;
  } else {
    ring->first = stalled;
    state->waiting |= 1u << (ring - state->rings);
  }
  ring->last = stalled;
}

void dcmf_begin(dcmf_operation_t* operation) {
  if (operation->ring->first != NULL || !operation->start(operation)) stall(operation);
}

unsigned dcmf_begin_waiting(void) {
  dcmf_state_t* state = dcmf_instance;
  unsigned begun = 0;
  for (unsigned i = 0; state->waiting >> i != 0; ++i) {
    dcmf_ring_t* ring = &state->rings[i];
    while (ring->first && ring->first->operation.start(&ring->first->operation)) {
      dcmf_stalled_t* stalled = ring->first;
      ring->first = stalled->next;
      if (ring->first == NULL) state->waiting &= ~(1u << i);
      dcmf_pool_give(&state->stalled_pool, stalled);
      ++begun;
    }
  }
  return begun;
}

void dcmf_part_done(dcmf_request_t* request) {
  if (--request->due == 0) dcmf_call(&request->cb_done);
}

void dcmf_complete(dcmf_request_t* request) {
  dcmf_state_t* state = dcmf_instance;
  if (--request->due != 0) return;
  request->next = NULL;
  if (state->completed) {
    state->completed_last->next = request;
  } else {
    state->completed = request;
  }
  state->completed_last = request;
}

unsigned dcmf_call_completed(void) {
  dcmf_state_t* state = dcmf_instance;
  unsigned called = 0;
  // Those that callbacks complete are for the next time.
  dcmf_request_t* request = state->completed;
  state->completed = NULL;
  while (request) {
    dcmf_request_t* next = request->next;
    dcmf_call(&request->cb_done);
    request = next;
    ++called;
  }
  return called;
}

dcmf_operation_t* dcmf_prepare(DCMF_Request_t* memory, DCMF_Callback_t cb_done, uint32_t rank, size_t bytes,
                               DCMF_Consistency consistency) {
  dcmf_request_t* request = dcmf_request_in(memory);
  request->cb_done = cb_done;
  request->cb_ack.function = NULL;
  request->ring = NULL;
  request->due = request->parts = 1;
  request->restart = NULL;
  dcmf_operation_t* operation = &request->operation;
  operation->request = cb_done.function ? request : NULL;
  operation->data = NULL;
  operation->rank = rank;
  operation->bytes = (uint32_t)bytes;
  operation->word[0] = operation->word[1] = 0;
  operation->count = 0;
  operation->consistency = (uint8_t)consistency;
  return operation;
}

DCMF_Result DCMF_Restart(DCMF_Request_t* memory) {
  if (memory == NULL) return DCMF_INVAL;
  dcmf_request_t* request = dcmf_request_in(memory);
  request->due = request->parts;
  if (request->restart) {
    request->restart(request);
  } else {
    dcmf_begin(&request->operation);
  }
  return DCMF_SUCCESS;
}
