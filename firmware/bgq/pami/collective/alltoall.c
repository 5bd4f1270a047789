/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/vectors.h"

/* Peers that a member exchanges with at once. */
enum { kWindow = 8 };

/* In step s a member sends to the rank s ahead and receives from the one s behind, so no two send to the same one. */
static pami_result_t exchange(pami_schedule_t* schedule, const pami_vector_t* out, const pami_vector_t* in) {
  const uint32_t n = schedule->size, me = schedule->rank;
  if (!pami_vector_usable(out, n) || !pami_vector_usable(in, n)) return PAMI_INVAL;
  pami_own_part(schedule, out, me, in, me);
  for (uint32_t first = 1; first < n; first += kWindow) {
    const uint32_t end = n - first < kWindow ? n : first + kWindow;
    void* places[kWindow];
    for (uint32_t step = first; step < end; ++step) {
      places[step - first] = pami_receive_part(schedule, in, (me + n - step) % n, (me + n - step) % n, 0);
    }
    for (uint32_t step = first; step < end; ++step) {
      pami_send_part(schedule, out, (me + step) % n, (me + step) % n, 0);
    }
    pami_wait_step(schedule);
    for (uint32_t step = first; step < end; ++step) {
      pami_part_arrived(schedule, in, (me + n - step) % n, places[step - first]);
    }
  }
  return PAMI_SUCCESS;
}

pami_result_t pami_describe_alltoall(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_alltoall_t* c = &xfer->xfer_alltoall;
  return exchange(schedule, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
                  &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount});
}

pami_result_t pami_describe_alltoallv(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_alltoallv_t* c = &xfer->xfer_alltoallv;
  return exchange(
      schedule,
      &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .counts = c->stypecounts, .displacements = c->sdispls},
      &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .counts = c->rtypecounts, .displacements = c->rdispls});
}

pami_result_t pami_describe_alltoallv_int(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_alltoallv_int_t* c = &xfer->xfer_alltoallv_int;
  return exchange(
      schedule,
      &(pami_vector_t){
          .base = c->sndbuf, .type = c->stype, .int_counts = c->stypecounts, .int_displacements = c->sdispls},
      &(pami_vector_t){
          .base = c->rcvbuf, .type = c->rtype, .int_counts = c->rtypecounts, .int_displacements = c->rdispls});
}
