/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers to a root and scatters from one. Each member exchanges its part with the root, which has all of them on their
 * way at once, so that its links bound the time. */
#include "firmware/bgq/pami/collective/vectors.h"

static pami_result_t gather(pami_schedule_t* schedule, pami_endpoint_t root_endpoint, const pami_vector_t* own,
                            const pami_vector_t* all) {
  const uint32_t root = pami_root(schedule, root_endpoint), n = schedule->size, me = schedule->rank;
  if (root == PAMI_NO_RANK || !pami_vector_usable(own, 1)) return PAMI_INVAL;
  if (me != root) {
    pami_send_part(schedule, own, 0, root, 0);
    pami_wait_step(schedule);
    return PAMI_SUCCESS;
  }
  if (!pami_vector_usable(all, n)) return PAMI_INVAL;
  void** places = pami_temporary(schedule, n * sizeof *places);
  if (places == NULL) return PAMI_ENOMEM;
  for (uint32_t from = 0; from < n; ++from) {
    if (from != me) places[from] = pami_receive_part(schedule, all, from, from, 0);
  }
  pami_own_part(schedule, own, 0, all, me);
  pami_wait_step(schedule);
  for (uint32_t from = 0; from < n; ++from) {
    if (from != me) pami_part_arrived(schedule, all, from, places[from]);
  }
  return PAMI_SUCCESS;
}

static pami_result_t scatter(pami_schedule_t* schedule, pami_endpoint_t root_endpoint, const pami_vector_t* all,
                             const pami_vector_t* own) {
  const uint32_t root = pami_root(schedule, root_endpoint), n = schedule->size, me = schedule->rank;
  if (root == PAMI_NO_RANK || !pami_vector_usable(own, 1)) return PAMI_INVAL;
  if (me != root) {
    void* place = pami_receive_part(schedule, own, 0, root, 0);
    pami_wait_step(schedule);
    pami_part_arrived(schedule, own, 0, place);
    return PAMI_SUCCESS;
  }
  if (!pami_vector_usable(all, n)) return PAMI_INVAL;
  for (uint32_t step = 1; step < n; ++step) pami_send_part(schedule, all, (me + step) % n, (me + step) % n, 0);
  pami_own_part(schedule, all, me, own, 0);
  pami_wait_step(schedule);
  return PAMI_SUCCESS;
}

pami_result_t pami_describe_gather(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_gather_t* c = &xfer->xfer_gather;
  return gather(schedule, c->root, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
                &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount});
}

pami_result_t pami_describe_gatherv(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_gatherv_t* c = &xfer->xfer_gatherv;
  return gather(
      schedule, c->root, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
      &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .counts = c->rtypecounts, .displacements = c->rdispls});
}

pami_result_t pami_describe_gatherv_int(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_gatherv_int_t* c = &xfer->xfer_gatherv_int;
  return gather(
      schedule, c->root, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = (size_t)c->stypecount},
      &(pami_vector_t){
          .base = c->rcvbuf, .type = c->rtype, .int_counts = c->rtypecounts, .int_displacements = c->rdispls});
}

pami_result_t pami_describe_scatter(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_scatter_t* c = &xfer->xfer_scatter;
  return scatter(schedule, c->root, &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .count = c->stypecount},
                 &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount});
}

pami_result_t pami_describe_scatterv(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_scatterv_t* c = &xfer->xfer_scatterv;
  return scatter(
      schedule, c->root,
      &(pami_vector_t){.base = c->sndbuf, .type = c->stype, .counts = c->stypecounts, .displacements = c->sdispls},
      &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = c->rtypecount});
}

pami_result_t pami_describe_scatterv_int(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_scatterv_int_t* c = &xfer->xfer_scatterv_int;
  return scatter(
      schedule, c->root,
      &(pami_vector_t){
          .base = c->sndbuf, .type = c->stype, .int_counts = c->stypecounts, .int_displacements = c->sdispls},
      &(pami_vector_t){.base = c->rcvbuf, .type = c->rtype, .count = (size_t)c->rtypecount});
}
