// SPDX-License-Identifier: Apache-2.0
// Reduction to all processes. Short ones by recursive doubling: in step k two processes whose places differ in bit k
// exchange what they have; places beyond the largest power of two first give theirs to a lower one, and get the result
// in the end. Long ones on a ring, in pieces: count - 1 steps in which each piece goes round and is added to, and as
// many in which the sums go round.
#include "firmware/bgp/dcmf/collective/collective.h"

enum { RING_BYTES = 16384, RESULT = 40, SHARE = 64 };  // RESULT and SHARE are tags

static bool begin_or_end(dcmf_collective_t* collective, uint32_t half) {
  const uint32_t self = collective->geometry->self, count = collective->geometry->count;
  const bool above = self >= half;
  if (collective->phase == 0) {
    if (above) {
      dcmf_collective_send(collective, self - half, RESULT + 1, collective->receive, collective->bytes);
    } else if (self + half < count) {
      dcmf_collective_receive(collective, self + half, RESULT + 1, collective->send, collective->bytes);
    }
  } else if (above) {
    dcmf_collective_receive(collective, self - half, RESULT, collective->receive, collective->bytes);
  } else if (self + half < count) {
    dcmf_collective_send(collective, self + half, RESULT, collective->receive, collective->bytes);
  }
  return above;
}

bool dcmf_step_allreduce(dcmf_collective_t* collective) {
  const uint32_t self = collective->geometry->self, count = collective->geometry->count;
  uint32_t half = 1;
  while (2 * half <= count) half *= 2;
  const uint32_t phase = collective->phase;
  if (phase == 0) {
    // Who is above waits for the result.
    const bool above = begin_or_end(collective, half);
    collective->phase = above ? 1000 : 1;
    collective->mask = !above && self + half < count;
    return false;
  }
  if (phase == 1000) {
    begin_or_end(collective, half);
    collective->phase = 1001;
    return false;
  }
  if (phase == 1001) return true;
  if (phase == 1 ? collective->mask : 1u) {
    dcmf_reduce(collective->receive, collective->send, collective->count, collective->dt, collective->op);
  }
  const uint32_t bit = 1u << (phase - 1);
  if (bit < half) {
    dcmf_collective_receive(collective, self ^ bit, phase, collective->send, collective->bytes);
    dcmf_collective_send(collective, self ^ bit, phase, collective->receive, collective->bytes);
    ++collective->phase;
  } else {
    begin_or_end(collective, half);
    collective->phase = 1001;
  }
  return false;
}

// Pieces of the ring: piece p are elements first(p) to first(p + 1).
static uint32_t first(const dcmf_collective_t* collective, uint32_t piece) {
  return (uint32_t)((uint64_t)collective->count * piece / collective->geometry->count);
}

bool dcmf_step_allreduce_ring(dcmf_collective_t* collective) {
  const uint32_t self = collective->geometry->self, count = collective->geometry->count;
  const uint32_t size = collective->bytes / collective->count;
  const uint32_t phase = collective->phase++;
  if (phase > 0 && phase < count) {
    const uint32_t come = (self + count - phase) % count;
    const uint32_t from = first(collective, come);
    dcmf_reduce(collective->receive + (size_t)from * size, collective->send, first(collective, come + 1) - from,
                collective->dt, collective->op);
  }
  if (phase >= 2 * count - 2) return true;
  const bool sums = phase >= count - 1;
  const uint32_t step = sums ? phase - (count - 1) : phase;
  const uint32_t out = (self + count - step + (sums ? 1 : 0)) % count, in = (out + count - 1) % count;
  const uint32_t out_first = first(collective, out), in_first = first(collective, in);
  const uint32_t in_bytes = (first(collective, in + 1) - in_first) * size;
  const uint32_t tag = sums ? SHARE + 1 : SHARE;
  dcmf_collective_receive(collective, (self + count - 1) % count, tag,
                          sums ? collective->receive + (size_t)in_first * size : collective->send, in_bytes);
  dcmf_collective_send(collective, (self + 1) % count, tag, collective->receive + (size_t)out_first * size,
                       (first(collective, out + 1) - out_first) * size);
  return false;
}

void dcmf_begin_reduction_again(dcmf_collective_t* collective) {
  if (collective->by_tree) {
    collective->step = dcmf_step_tree;
    dcmf_collective_begin(collective);
    return;
  }
  const dcmf_geometry_t* geometry = collective->geometry;
  const uint32_t bytes = collective->bytes;
  const bool all = collective->root == geometry->count;
  // Who does not get the result works in memory of the layer.
  const bool mine = all || collective->root == geometry->self;
  char* scratch = bytes ? dcmf_collective_scratch(collective, mine ? bytes : 2 * bytes) : NULL;
  collective->send = scratch;
  collective->receive = mine ? collective->to : scratch ? scratch + bytes : NULL;
  if (collective->receive != collective->from && bytes) memcpy(collective->receive, collective->from, bytes);
  const bool ring = all && bytes >= RING_BYTES && collective->count >= geometry->count && geometry->count > 2;
  collective->step = !all ? dcmf_step_reduce : ring ? dcmf_step_allreduce_ring : dcmf_step_allreduce;
  dcmf_collective_begin(collective);
}

DCMF_Result dcmf_begin_reduction(dcmf_collective_t* collective, bool by_tree, uint32_t root, char* sbuffer,
                                 char* rbuffer, uint32_t count, DCMF_Dt dt, DCMF_Op op) {
  collective->by_tree = by_tree;
  collective->root = root;
  collective->bytes = dcmf_reduction_bytes(dt, op, count);
  collective->count = count;
  collective->dt = (uint8_t)dt;
  collective->op = (uint8_t)op;
  collective->from = sbuffer;
  collective->to = rbuffer;
  dcmf_begin_reduction_again(collective);
  return DCMF_SUCCESS;
}

int DCMF_Allreduce_register(DCMF_CollectiveProtocol_t* registration, DCMF_Allreduce_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_ALLREDUCE_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_ALLREDUCE;
  protocol->protocol = (uint32_t)configuration->protocol;
  protocol->find = configuration->cb_geometry;
  return DCMF_SUCCESS;
}

int DCMF_Allreduce(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, char* sbuffer, char* rbuffer,
                   unsigned count, DCMF_Dt dt, DCMF_Op op) {
  (void)consistency;
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  if (of->self == of->count || dcmf_reduction_bytes(dt, op, 1) == 0) return DCMF_INVAL;
  const dcmf_collective_protocol_t* protocol = (const dcmf_collective_protocol_t*)(void*)registration;
  const bool by_tree = protocol != NULL && protocol->protocol <= DCMF_TREE_DPUT_PIPELINED_ALLREDUCE_PROTOCOL &&
                       dcmf_tree_reduces(of, dt, op, count);
  return dcmf_begin_reduction(dcmf_collective_prepare(request, cb_done, of), by_tree, of->count, sbuffer, rbuffer,
                              count, dt, op);
}
