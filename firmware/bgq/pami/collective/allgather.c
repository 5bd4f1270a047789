/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/vectors.h"

/* Parts go round a ring: each member passes on what it has received last. */
static pami_result_t ring(pami_schedule_t* schedule, const pami_vector_t* own, const pami_vector_t* all) {
  const uint32_t n = schedule->size, me = schedule->rank;
  if (!pami_vector_usable(own, 1) || !pami_vector_usable(all, n)) return PAMI_INVAL;
  pami_own_part(schedule, own, 0, all, me);
  size_t bytes = pami_part_bytes(all, me);
  const void* last = bytes ? pami_outgoing(schedule, pami_part_at(all, me), all->type, bytes) : NULL;
  for (uint32_t step = 0; step + 1 < n; ++step) {
    const uint32_t in = (me + n - step - 1) % n;
    pami_send_step(schedule, (me + 1) % n, step, last, bytes);
    void* place = pami_receive_part(schedule, all, in, (me + n - 1) % n, step);
    pami_wait_step(schedule);
    pami_part_arrived(schedule, all, in, place);
    last = place;
    bytes = pami_part_bytes(all, in);
  }
  return PAMI_SUCCESS;
}

pami_result_t pami_describe_allgather(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allgather_t* c = &xfer->xfer_allgather;
  return ring(schedule, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
              &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount});
}

pami_result_t pami_describe_allgatherv(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allgatherv_t* c = &xfer->xfer_allgatherv;
  return ring(
      schedule, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
      &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .counts = c->rtypecounts, .displacements = c->rdispls});
}

pami_result_t pami_describe_allgatherv_int(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allgatherv_int_t* c = &xfer->xfer_allgatherv_int;
  return ring(schedule, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = (size_t)c->stypecount},
              &(pami_vector_t){
                  .base = c->rcvbuf, .type = c->rtype, .int_counts = c->rtypecounts, .int_displacements = c->rdispls});
}

/* Bruck's algorithm: in round k each member sends all that it has, up to 2^k parts, 2^k ranks back. Few messages, but
 * parts are copied at the end. */
pami_result_t pami_describe_allgather_bruck(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allgather_t* c = &xfer->xfer_allgather;
  const pami_vector_t own = {.base = c->sndbuf, .type = c->stype, .count = c->stypecount};
  const pami_vector_t all = {.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount};
  const uint32_t n = schedule->size, me = schedule->rank;
  if (!pami_vector_usable(&own, 1) || !pami_vector_usable(&all, n)) return PAMI_INVAL;
  const size_t bytes = pami_part_bytes(&all, me);
  /* Parts in the order of ranks from this one on. */
  char* parts = pami_temporary(schedule, bytes * n);
  if (bytes) pami_pack_step(schedule, parts, c->sndbuf, c->stype, 0, bytes);
  uint32_t have = 1;
  for (uint32_t round = 0; have < n; ++round) {
    const uint32_t moved = have < n - have ? have : n - have;
    pami_send_step(schedule, (me + n - have) % n, round, parts, moved * bytes);
    pami_receive_step(schedule, (me + have) % n, round, parts + have * bytes, moved * bytes);
    pami_wait_step(schedule);
    have += moved;
  }
  for (uint32_t i = 0; i < n; ++i) pami_part_arrived(schedule, &all, (me + i) % n, parts + i * bytes);
  return PAMI_SUCCESS;
}
