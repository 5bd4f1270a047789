/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"

/* In round k a member sends the sum of the 2^k ranks up to itself 2^k ranks ahead, and puts what it receives, the sum
 * of those before, in front of its own. An exclusive scan leaves the first member's buffer as it is. */
pami_result_t pami_describe_scan(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_scan_t* command = &xfer->xfer_scan;
  pami_reduction_t reduction;
  const pami_result_t result = pami_reduction(schedule, &reduction, command->stype, command->stypecount, command->rtype,
                                              command->op, command->data_cookie, 0);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, me = schedule->rank;
  const size_t bytes = reduction.bytes;
  char* sum = pami_temporary(schedule, bytes);    /* of the ranks up to this one */
  char* before = pami_temporary(schedule, bytes); /* without this one */
  char* theirs = pami_temporary(schedule, bytes);
  pami_copy_step(schedule, sum, pami_outgoing(schedule, command->sndbuf, command->stype, bytes), bytes);
  bool any = false;
  uint32_t tag = 0;
  for (uint32_t distance = 1; distance < n; distance *= 2, ++tag) {
    if (me + distance < n) pami_send_step(schedule, me + distance, tag, sum, bytes);
    if (me >= distance) pami_receive_step(schedule, me - distance, tag, theirs, bytes);
    pami_wait_step(schedule);
    if (me < distance) continue;
    pami_combine_higher(schedule, &reduction, theirs, sum);
    if (any) {
      pami_combine_higher(schedule, &reduction, theirs, before);
    } else {
      pami_copy_step(schedule, before, theirs, bytes);
    }
    any = true;
  }
  if (!command->exclusive) {
    pami_deliver(schedule, command->rcvbuf, command->rtype, sum, bytes);
  } else if (any) {
    pami_deliver(schedule, command->rcvbuf, command->rtype, before, bytes);
  }
  return PAMI_SUCCESS;
}
