/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/methods.h"

typedef struct {
  uint32_t root;
  void* data;
  size_t bytes;
} broadcast_t;

static pami_result_t begin(pami_schedule_t* schedule, const pami_broadcast_t* command, broadcast_t* broadcast) {
  broadcast->root = pami_root(schedule, command->root);
  if (broadcast->root == PAMI_NO_RANK || !pami_bytes(command->type, command->typecount, &broadcast->bytes)) {
    return PAMI_INVAL;
  }
  broadcast->data = schedule->rank == broadcast->root
                        ? pami_outgoing(schedule, command->buf, command->type, broadcast->bytes)
                        : pami_incoming(schedule, command->buf, command->type, broadcast->bytes);
  return PAMI_SUCCESS;
}

static void end(pami_schedule_t* schedule, const pami_broadcast_t* command, const broadcast_t* broadcast) {
  if (schedule->rank == broadcast->root) return;
  pami_deliver(schedule, command->buf, command->type, broadcast->data, broadcast->bytes);
}

/* Down a binomial tree. */
pami_result_t pami_describe_broadcast(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_broadcast_t* command = &xfer->xfer_broadcast;
  broadcast_t broadcast;
  const pami_result_t result = begin(schedule, command, &broadcast);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, me = (schedule->rank + n - broadcast.root) % n;
  uint32_t bit = 1;
  while (bit < n && !(me & bit)) bit *= 2;
  if (me) {
    pami_receive_step(schedule, (me - bit + broadcast.root) % n, 0, broadcast.data, broadcast.bytes);
    pami_wait_step(schedule);
  }
  for (bit /= 2; bit; bit /= 2) {
    if (me + bit >= n) continue;
    pami_send_step(schedule, (me + bit + broadcast.root) % n, 0, broadcast.data, broadcast.bytes);
  }
  pami_wait_step(schedule);
  end(schedule, command, &broadcast);
  return PAMI_SUCCESS;
}

/* The root gives each member a part; then all parts go round a ring. Parts are counted from the root. */
pami_result_t pami_describe_broadcast_ring(pami_schedule_t* schedule, const pami_collective_t* xfer) {
  const pami_broadcast_t* command = &xfer->xfer_broadcast;
  broadcast_t broadcast;
  const pami_result_t result = begin(schedule, command, &broadcast);
  if (result != PAMI_SUCCESS) return result;
  const uint32_t n = schedule->size, me = (schedule->rank + n - broadcast.root) % n;
  const size_t part = (broadcast.bytes + n - 1) / n;
  char* const data = broadcast.data;
#define PART_AT(p) ((size_t)(p)*part < broadcast.bytes ? (size_t)(p)*part : broadcast.bytes)
#define PART_BYTES(p) (PART_AT((p) + 1) - PART_AT(p))
  if (me == 0) {
    for (uint32_t to = 1; to < n; ++to) {
      pami_send_step(schedule, (to + broadcast.root) % n, 0, data + PART_AT(to), PART_BYTES(to));
    }
  } else {
    pami_receive_step(schedule, broadcast.root, 0, data + PART_AT(me), PART_BYTES(me));
    pami_wait_step(schedule);
  }
  for (uint32_t step = 0; step + 1 < n; ++step) {
    const uint32_t out = (me + n - step) % n, in = (me + n - step - 1) % n;
    /* The root has everything: it only sends, and its left neighbour keeps the last part. */
    if ((me + 1) % n != 0) {
      pami_send_step(schedule, (schedule->rank + 1) % n, 1 + step, data + PART_AT(out), PART_BYTES(out));
    }
    if (me != 0) {
      pami_receive_step(schedule, (schedule->rank + n - 1) % n, 1 + step, data + PART_AT(in), PART_BYTES(in));
      pami_wait_step(schedule);
    }
  }
  pami_wait_step(schedule);
#undef PART_AT
#undef PART_BYTES
  end(schedule, command, &broadcast);
  return PAMI_SUCCESS;
}
