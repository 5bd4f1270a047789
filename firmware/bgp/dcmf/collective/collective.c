// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgp/dcmf/collective/collective.h"

_Static_assert(sizeof(dcmf_collective_t) <= sizeof(DCMF_Request_t), "a request holds what it has to");

static void run(dcmf_collective_t* collective) {
  // A step whose messages are complete at once ends up here again: the loop goes on instead.
  if (collective->running) return;
  collective->running = true;
  bool last = false;
  while (collective->pending == 0 && !last) {
    collective->pending = 1;  // until the step has started all
    last = collective->step(collective);
    --collective->pending;
  }
  collective->running = false;
  if (!last) return;
  if (collective->scratch) dcmf_buffer_give(collective->scratch, collective->scratch_bytes);
  collective->scratch = NULL;
  dcmf_complete(&collective->request);
}

void dcmf_collective_part_done(dcmf_collective_t* collective) {
  if (--collective->pending == 0) run(collective);
}

static void one_is_done(void* owner) {
  dcmf_collective_part_done(owner);
}

static dcmf_key_t key_of(const dcmf_collective_t* collective, uint32_t tag) {
  const dcmf_key_t key = {collective->geometry->id, collective->operation << DCMF_STEPS | tag};
  return key;
}

void dcmf_collective_send(dcmf_collective_t* collective, uint32_t to, uint32_t tag, const void* data, uint32_t bytes) {
  ++collective->pending;
  dcmf_exchange_send(dcmf_member(collective->geometry, to), key_of(collective, tag), data, bytes, one_is_done,
                     collective);
}

void dcmf_collective_receive(dcmf_collective_t* collective, uint32_t from, uint32_t tag, void* buffer, uint32_t bytes) {
  ++collective->pending;
  dcmf_exchange_receive(dcmf_member(collective->geometry, from), key_of(collective, tag), buffer, bytes, one_is_done,
                        collective);
}

char* dcmf_collective_scratch(dcmf_collective_t* collective, uint32_t bytes) {
  collective->scratch_bytes = bytes;
  collective->scratch = dcmf_buffer_take(bytes);
  return collective->scratch;
}

static void restart(dcmf_request_t* request) {
  dcmf_collective_t* collective = (dcmf_collective_t*)request;
  collective->operation = collective->geometry->operations++;
  if (collective->from) {
    dcmf_begin_reduction_again(collective);
  } else {
    dcmf_collective_begin(collective);
  }
}

dcmf_collective_t* dcmf_collective_prepare(void* memory, DCMF_Callback_t cb_done, dcmf_geometry_t* geometry) {
  dcmf_collective_t* collective = memory;
  memset(collective, 0, sizeof *collective);
  collective->request.cb_done = cb_done;
  collective->request.due = collective->request.parts = 1;
  collective->request.restart = restart;
  collective->geometry = geometry ? geometry : dcmf_world();
  collective->operation = collective->geometry->operations++;
  return collective;
}

void dcmf_collective_begin(dcmf_collective_t* collective) {
  collective->phase = 0;
  collective->pending = 0;
  run(collective);
}
