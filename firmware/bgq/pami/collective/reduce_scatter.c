/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/types/layout.h"

enum { kWindow = 8 };

/* Each member receives all contributions to its own part and combines them in the order of ranks. */
pami_result_t pami_describe_reduce_scatter(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_reduce_scatter_t* command = &xfer->xfer_reduce_scatter;
  const uint32_t n = schedule->size, me = schedule->rank;
  pami_reduction_t reduction;
  pami_result_t result = pami_reduction(schedule, &reduction, command->stype, command->stypecount, command->rtype,
                                        command->op, command->data_cookie, command->commutative);
  if (result != PAMI_SUCCESS) return result;
  if (reduction.bytes == 0) return PAMI_SUCCESS;
  if (command->rcounts == NULL) return PAMI_INVAL;

  const size_t each = pami_type_size(command->stype);
  size_t* at = pami_temporary(schedule, (n + 1) * sizeof *at);
  if (at == NULL) return PAMI_ENOMEM;
  at[0] = 0;
  for (uint32_t rank = 0; rank < n; ++rank) at[rank + 1] = at[rank] + command->rcounts[rank] * each;
  if (at[n] > reduction.bytes) return pami_error(PAMI_INVAL, "a reduce-scatter's counts exceed what is sent");

  const char* own = pami_outgoing(schedule, command->sndbuf, command->stype, reduction.bytes);
  const size_t bytes = at[me + 1] - at[me];
  char* parts = pami_temporary(schedule, n * bytes);
  pami_copy_step(schedule, parts + me * bytes, own + at[me], bytes);
  for (uint32_t first = 1; first < n; first += kWindow) {
    const uint32_t end = n - first < kWindow ? n : first + kWindow;
    for (uint32_t step = first; step < end; ++step) {
      const uint32_t from = (me + n - step) % n;
      pami_receive_step(schedule, from, 0, parts + from * bytes, bytes);
    }
    for (uint32_t step = first; step < end; ++step) {
      const uint32_t to = (me + step) % n;
      pami_send_step(schedule, to, 0, own + at[to], at[to + 1] - at[to]);
    }
    pami_wait_step(schedule);
  }
  reduction.bytes = bytes;
  for (uint32_t rank = 1; rank < n; ++rank) {
    pami_combine_higher(schedule, &reduction, parts + (rank - 1) * bytes, parts + rank * bytes);
  }
  pami_deliver(schedule, command->rcvbuf, command->rtype, parts + (n - 1) * bytes, bytes);
  return PAMI_SUCCESS;
}
