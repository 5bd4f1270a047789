/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"

/* Up a binomial tree, whose root is rank 0 unless the operation may change the order of contributions. Each member
 * combines neighbouring groups of ranks. */
pami_result_t pami_describe_reduce(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_reduce_t* command = &xfer->xfer_reduce;
  pami_reduction_t reduction;
  const uint32_t root = pami_root(schedule, command->root);
  if (root == PAMI_NO_RANK) return PAMI_INVAL;
  const pami_result_t result = pami_reduction(schedule, &reduction, command->stype, command->stypecount, command->rtype,
                                              command->op, command->data_cookie, command->commutative);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, top = reduction.commutative ? root : 0;
  const uint32_t me = (schedule->rank + n - top) % n;
  const size_t bytes = reduction.bytes;

  /* The sum lies in the program's buffer at first, then in one of two others while the next one comes into the other.
   */
  const void* sum = pami_outgoing(schedule, command->sndbuf, command->stype, bytes);
  void* room[2] = {NULL, NULL};
  unsigned turn = 0;
  uint32_t bit = 1;
  for (; bit < n && !(me & bit); bit *= 2) {
    if (me + bit >= n) continue;
    if (room[turn] == NULL) room[turn] = pami_temporary(schedule, bytes);
    pami_receive_step(schedule, (me + bit + top) % n, 0, room[turn], bytes);
    pami_wait_step(schedule);
    pami_combine_higher(schedule, &reduction, sum, room[turn]);
    sum = room[turn];
    turn = !turn;
  }
  if (me) {
    pami_send_step(schedule, (me - bit + top) % n, 0, sum, bytes);
    pami_wait_step(schedule);
  }
  if (top != root) {
    if (me == 0) {
      pami_send_step(schedule, root, 1, sum, bytes);
    } else if (schedule->rank == root) {
      void* theirs = pami_temporary(schedule, bytes);
      pami_receive_step(schedule, top, 1, theirs, bytes);
      sum = theirs;
    }
    pami_wait_step(schedule);
  }
  if (schedule->rank == root) {
    pami_deliver(schedule, command->rcvbuf, command->rtype, sum, bytes);
  }
  return PAMI_SUCCESS;
}
