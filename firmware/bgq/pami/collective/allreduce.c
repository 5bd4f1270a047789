/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"

static pami_result_t begin(pami_schedule_t* schedule, const pami_allreduce_t* command, pami_reduction_t* reduction) {
  return pami_reduction(schedule, reduction, command->stype, command->stypecount, command->rtype, command->op,
                        command->data_cookie, command->commutative);
}

/* Recursive doubling: in each round two groups of neighbouring ranks exchange their sums. Of members beyond a power of
 * two, pairs at the beginning act as one. All members combine in the order of ranks, so all get the same bits. */
pami_result_t pami_describe_allreduce(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allreduce_t* command = &xfer->xfer_allreduce;
  pami_reduction_t reduction;
  const pami_result_t result = begin(schedule, command, &reduction);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, me = schedule->rank;
  const size_t bytes = reduction.bytes;
  uint32_t power = 1;
  while (power * 2 <= n) power *= 2;
  const uint32_t pairs = n - power;

  /* The own group's sum, and room for another one's. What two groups combine to lies where the higher one's was. */
  char* sum = pami_temporary(schedule, bytes);
  char* theirs = pami_temporary(schedule, bytes);
  pami_copy_step(schedule, sum, pami_outgoing(schedule, command->sndbuf, command->stype, bytes), bytes);
  const bool idle = me < 2 * pairs && me % 2 == 0;
  if (idle) {
    pami_send_step(schedule, me + 1, 0, sum, bytes);
    pami_receive_step(schedule, me + 1, UINT32_MAX, theirs, bytes);
    pami_wait_step(schedule);
    pami_deliver(schedule, command->rcvbuf, command->rtype, theirs, bytes);
    return PAMI_SUCCESS;
  }
  if (me < 2 * pairs) {
    pami_receive_step(schedule, me - 1, 0, theirs, bytes);
    pami_wait_step(schedule);
    pami_combine_higher(schedule, &reduction, theirs, sum);
  }
  const uint32_t place = me < 2 * pairs ? me / 2 : me - pairs;
  uint32_t tag = 1;
  for (uint32_t bit = 1; bit < power; bit *= 2, ++tag) {
    const uint32_t other = place ^ bit;
    const uint32_t peer = other < pairs ? 2 * other + 1 : other + pairs;
    pami_send_step(schedule, peer, tag, sum, bytes);
    pami_receive_step(schedule, peer, tag, theirs, bytes);
    pami_wait_step(schedule);
    if (other < place) {
      pami_combine_higher(schedule, &reduction, theirs, sum);
    } else {
      pami_combine_higher(schedule, &reduction, sum, theirs);
      char* const higher = theirs;
      theirs = sum;
      sum = higher;
    }
  }
  if (me < 2 * pairs) {
    pami_send_step(schedule, me - 1, UINT32_MAX, sum, bytes);
    pami_wait_step(schedule);
  }
  pami_deliver(schedule, command->rcvbuf, command->rtype, sum, bytes);
  return PAMI_SUCCESS;
}

/* Each member sums up one part, which comes to it round a ring; then the sums go round. Ranks are not combined in their
 * order, so operations that do not commute go by recursive doubling. */
pami_result_t pami_describe_allreduce_ring(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_allreduce_t* command = &xfer->xfer_allreduce;
  pami_reduction_t reduction;
  const pami_result_t result = begin(schedule, command, &reduction);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, me = schedule->rank;
  const size_t elements = reduction.bytes / reduction.grain;
  if (n == 1 || elements < n || !reduction.commutative) return pami_describe_allreduce(schedule, xfer);

  char* total = pami_incoming(schedule, command->rcvbuf, command->rtype, reduction.bytes);
  const char* own = pami_outgoing(schedule, command->sndbuf, command->stype, reduction.bytes);
  pami_copy_step(schedule, total, own, reduction.bytes);
  const size_t each = elements / n, more = elements % n;
#define PART_AT(p) (((size_t)(p)*each + ((p) < more ? (p) : more)) * reduction.grain)
#define PART_BYTES(p) (PART_AT((p) + 1) - PART_AT(p))
  char* theirs = pami_temporary(schedule, (each + 1) * reduction.grain);
  for (uint32_t step = 0; step + 1 < n; ++step) {
    const uint32_t out = (me + n - step) % n, in = (me + n - step - 1) % n;
    pami_send_step(schedule, (me + 1) % n, step, total + PART_AT(out), PART_BYTES(out));
    pami_receive_step(schedule, (me + n - 1) % n, step, theirs, PART_BYTES(in));
    pami_wait_step(schedule);
    pami_combine_step(schedule, total + PART_AT(in), theirs, PART_BYTES(in), reduction.type);
  }
  for (uint32_t step = 0; step + 1 < n; ++step) {
    const uint32_t out = (me + 1 + n - step) % n, in = (me + n - step) % n;
    pami_send_step(schedule, (me + 1) % n, n + step, total + PART_AT(out), PART_BYTES(out));
    pami_receive_step(schedule, (me + n - 1) % n, n + step, total + PART_AT(in), PART_BYTES(in));
    pami_wait_step(schedule);
  }
#undef PART_AT
#undef PART_BYTES
  pami_deliver(schedule, command->rcvbuf, command->rtype, total, reduction.bytes);
  return PAMI_SUCCESS;
}
