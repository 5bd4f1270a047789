/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last node waits for words of memory that the first one puts after long pauses. It waits by loops that only read,
 * by loops that count, which never park, by loops that ask the Messaging Unit now and then, and by loops that ask it in
 * each turn, and park. It tells each time at which it has seen the word.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 late_looks
 */
#include <hwi/include/bqc/A2_inlines.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgq/mu.h"

enum { kRounds = 32, kKinds = 4, kRing = 64, kSubgroup = 0, kData = 0, kCounter = 1 };

static uint8_t descriptors[kRing * BGQ_DESCRIPTOR_BYTES] __attribute__((aligned(128)));
static uint64_t sent[kRounds] __attribute__((aligned(128)));
static volatile uint64_t words[kRounds] __attribute__((aligned(128)));
static volatile uint64_t counter __attribute__((aligned(128)));

static void fail(const char* what, uint64_t error) {
  if (error == 0) return;
  printf("%s: error %u\n", what, (unsigned)error);
  exit(1);
}

static void put_words(const uint8_t* personality) {
  mu_ring_t ring;
  uint8_t to[BGQ_DIMENSIONS];
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) to[d] = (uint8_t)(personality[BGQ_PERSONALITY_NODES_AT + d] - 1);
  fail("injection FIFO", mu_open_injection(kSubgroup, 0, descriptors, sizeof descriptors, 0, &ring));
  for (unsigned round = 0; round < kRounds; ++round) {
    const uint64_t end = GetTimeBase() + 50000 + 977 * round;
    while (GetTimeBase() < end) continue;
    sent[round] = 1;
    mu_fence();
    uint8_t descriptor[BGQ_DESCRIPTOR_BYTES];
    mu_describe(descriptor, to, 0, physical(&sent[round]), sizeof sent[round]);
    mu_set_type(descriptor, BGQ_MU_PUT);
    bgq_set_payload_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kData);
    bgq_set_counter_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kCounter);
    bgq_set_put_offset(descriptor + BGQ_DESCRIPTOR_HEADER, round * sizeof sent[round]);
    mu_inject(&ring, descriptor);
  }
}

static unsigned long wait_for(volatile uint64_t* word, unsigned kind) {
  unsigned long turns = 0;
  if (kind == 0) {
    while (*word == 0) continue;
  }
  if (kind == 3) {
    while (*word == 0) {
      (void)*mu_register(kSubgroup, BGQ_MU_BARRIER_STATUS_OFFSET);
      for (unsigned i = 0; i < 100; ++i) __asm__ volatile("nop"); /* several points of the grid to a turn */
    }
  }
  while (*word == 0) {
    if (kind == 2 && turns % 500 == 0) (void)*mu_register(kSubgroup, BGQ_MU_BARRIER_STATUS_OFFSET);
    ++turns;
  }
  return turns;
}

int main(void) {
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  int is_first = 1;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) is_first &= personality[BGQ_PERSONALITY_COORDS_AT + d] == 0;
  fail("base address", mu_open_base(kSubgroup, kData, physical((void*)words)));
  fail("base address", mu_open_base(kSubgroup, kCounter, bgq_atomic_address(physical(&counter), 2 /* store-add */)));
  mu_fence();
  mu_barrier(); /* all are ready */
  if (is_first) {
    put_words(personality);
    return 0;
  }
  uint64_t seen[kRounds];
  unsigned long turns[kRounds];
  for (unsigned round = 0; round < kRounds; ++round) {
    turns[round] = wait_for(&words[round], round % kKinds);
    seen[round] = GetTimeBase();
  }
  for (unsigned round = 0; round < kRounds; ++round)
    printf("%u %u %llu %lu\n", round, round % kKinds, (unsigned long long)seen[round], turns[round]);
  return 0;
}
