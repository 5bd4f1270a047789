/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"

void pami_dissemination(pami_schedule_t* schedule) {
  const uint32_t n = schedule->size, me = schedule->rank;
  for (uint32_t distance = 1, round = 0; distance < n; distance *= 2, ++round) {
    pami_send_step(schedule, (me + distance) % n, round, NULL, 0);
    pami_receive_step(schedule, (me + n - distance) % n, round, NULL, 0);
    pami_wait_step(schedule);
  }
}

pami_result_t pami_describe_barrier(pami_schedule_t* schedule, const pami_collective_t* command) {
  (void)command;
  pami_dissemination(schedule);
  return PAMI_SUCCESS;
}
