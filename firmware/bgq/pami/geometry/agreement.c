/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/geometry/agreement.h"

#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/collective/routes.h"
#include "firmware/hot.h"

typedef struct agreement {
  pami_geometry_impl_t* geometry;
  pami_context_impl_t* runs; /* the context of this task's member */
  pami_endpoint_t* peers;
  uint32_t count, me, round;
  pami_route_bits_t bits, theirs;
  struct pami_route* route;
  pami_event_function fn;
  void* cookie;
  pami_work_t work;
} agreement_t;

/* Bits that all members have given, at all of them: in each round with what twice as many have given. */
RARE static void unite(pami_schedule_t* schedule, agreement_t* agreement) {
  const uint32_t n = schedule->size, me = schedule->rank;
  schedule->function = PAMI_DATA_BAND;
  for (uint32_t distance = 1, tag = 0; distance < n; distance *= 2, ++tag) {
    pami_send_step(schedule, (me + distance) % n, tag, &agreement->bits, sizeof agreement->bits);
    pami_receive_step(schedule, (me + n - distance) % n, tag, &agreement->theirs, sizeof agreement->theirs);
    pami_wait_step(schedule);
    pami_combine_step(schedule, &agreement->bits, &agreement->theirs, sizeof agreement->bits, PAMI_TYPE_UNSIGNED_INT);
  }
}

static void agreed(pami_context_t context, void* cookie, pami_result_t result);
RARE static void begin(agreement_t* agreement);

RARE static void next_round(agreement_t* agreement) {
  pami_route_give(agreement->route, agreement->round, &agreement->bits);
  pami_schedule_t* schedule = pami_schedule_make(agreement->runs, agreement->geometry,
                                                 PAMI_SEQUENCE_ROUTE - agreement->round, agreed, agreement);
  if (schedule == NULL) pami_fatal("no memory to agree on a geometry's class route");
  schedule->peers = agreement->peers;
  schedule->size = agreement->count;
  schedule->rank = agreement->me;
  unite(schedule, agreement);
  if (pami_schedule_start(schedule) != PAMI_SUCCESS) pami_fatal("no memory to agree on a geometry's class route");
}

RARE static void agreed(pami_context_t context, void* cookie, pami_result_t result) {
  agreement_t* agreement = cookie;
  if (++agreement->round < PAMI_ROUTE_ROUNDS) {
    next_round(agreement);
    return;
  }
  switch (pami_route_settle(agreement->route, &agreement->bits)) {
    case PAMI_ROUTE_AGAIN:
      agreement->round = 0;
      begin(agreement);
      return;
    case PAMI_ROUTE_MADE:
      agreement->geometry->route = agreement->route;
      break;
    case PAMI_ROUTE_NONE:
      pami_route_free(agreement->route);
      break;
  }
  const pami_event_function fn = agreement->fn;
  void* theirs = agreement->cookie;
  free(agreement->peers);
  free(agreement);
  fn(context, theirs, result);
}

static pami_result_t try_to_begin(pami_context_t context, void* cookie) {
  (void)context;
  agreement_t* agreement = cookie;
  if (!pami_route_begins(agreement->route)) return PAMI_EAGAIN;
  next_round(agreement);
  return PAMI_SUCCESS;
}

RARE static void begin(agreement_t* agreement) {
  if (try_to_begin(agreement->runs, agreement) == PAMI_SUCCESS) return;
  PAMI_Context_post(agreement->runs, &agreement->work, try_to_begin, agreement);
}

RARE void pami_geometry_agree(pami_geometry_impl_t* geometry, pami_context_impl_t* context, pami_context_impl_t* now,
                              pami_event_function fn, void* cookie) {
  bool agree = false;
  struct pami_route* route = NULL;
  if (geometry->optimized && geometry->route == NULL && geometry->client->number == 0) {
    route = pami_route_new(geometry, &agree);
  }
  if (!agree) {
    if (route != NULL) geometry->route = route;
    fn(now, cookie, PAMI_SUCCESS);
    return;
  }
  agreement_t* agreement = calloc(1, sizeof *agreement);
  if (agreement == NULL) pami_fatal("no memory to agree on a geometry's class route");
  *agreement = (agreement_t){.geometry = geometry, .route = route, .fn = fn, .cookie = cookie};
  /* A rectangle has a member for each task, at the context of the call or at the first. */
  agreement->runs = geometry->contexts ? geometry->client->context[0] : context;
  agreement->peers = pami_member_tasks(geometry, agreement->runs->offset, &agreement->count);
  if (agreement->peers == NULL) pami_fatal("no memory to agree on a geometry's class route");
  agreement->me = geometry->rank[agreement->runs->offset];
  if (agreement->runs == now) {
    begin(agreement);
  } else {
    PAMI_Context_post(agreement->runs, &agreement->work, try_to_begin, agreement);
  }
}
