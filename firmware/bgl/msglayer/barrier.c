// SPDX-License-Identifier: Apache-2.0
// Waiting, and a barrier for programs: over the global interrupts if they can be used (wired_barrier.c), otherwise by
// dissemination with empty one-packet messages. In round r each rank sends to the rank 2^r ahead and waits for the rank
// 2^r behind; after ceil(log2 n) rounds each has heard from all others, directly or indirectly.
#include "firmware/bgl/msglayer/state.h"

void bglml_wait(const volatile uint32_t* flag) {
  while (*flag == 0) bglml_advance();
}

static void set_flag(void* flag) {
  *(uint32_t*)flag = 1;
}

static void recvnew(void* context, uint32_t source, uint32_t round, const void* buffer, uint32_t length) {
  (void)buffer, (void)length;
  bglml_barrier_t* barrier = context;
  if (round >= barrier->rounds) bglml_fatal("barrier packet of round %u from rank %u", round, source);
  barrier->arrived[round] += 1;
}

void bglml_barrier_init(bglml_barrier_t* barrier, uint32_t size) {
  while ((UINT32_C(1) << barrier->rounds) < size) barrier->rounds += 1;
  barrier->port = bglml_one_packet_register(recvnew, barrier);
  for (uint32_t round = 0; round < barrier->rounds; ++round) {
    const uint32_t peer = (bglml_rank() + (UINT32_C(1) << round)) % size;
    bglml_one_packet_init(&barrier->messages[round], barrier->port, peer, round, NULL, 0, set_flag,
                          &barrier->sent[round]);
  }
  bglml_instance->handlers[barrier->port].own = true;
}

bool bglml_barrier_is_wired(void) {
  return bglml_instance->wired_barrier.usable;
}

void bglml_barrier(void) {
  bglml_require_outside("bglml_barrier() called");
  if (bglml_instance->wired_barrier.usable) {
    bglml_wired_barrier(&bglml_instance->wired_barrier);
  } else {
    bglml_barrier_by_messages();
  }
}

void bglml_barrier_by_messages(void) {
  bglml_barrier_t* barrier = &bglml_instance->barrier;
  bglml_require_outside("bglml_barrier_by_messages() called");
  barrier->count += 1;
  for (uint32_t round = 0; round < barrier->rounds; ++round) {
    barrier->sent[round] = 0;
    bglml_one_packet_post(&barrier->messages[round]);
    // Counts, not flags: the rank behind may be one barrier ahead of us.
    const volatile uint32_t* arrived = &barrier->arrived[round];
    while (*arrived < barrier->count) bglml_advance();
    bglml_wait(&barrier->sent[round]);
  }
}
