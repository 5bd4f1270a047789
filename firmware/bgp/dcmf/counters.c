// SPDX-License-Identifier: Apache-2.0
// Counters for data that this process has others send to it.
#include "firmware/bgp/dcmf/state.h"

enum { WORD = 1 };  // of the status words: counters 32 to 63

unsigned dcmf_counter_take(uint32_t bytes, uint32_t rank, void (*hit)(void*), void* owner) {
  dcmf_state_t* state = dcmf_instance;
  const unsigned n = (unsigned)__builtin_clz(~state->counters_busy & DCMF_COUNTERS_ALL);
  dcmf_counter_t* counter = &state->counters[n];
  counter->hit = hit;
  counter->owner = owner;
  counter->rank = rank;
  counter->sequence = state->counter_sequence++;
  state->counters_busy |= 0x80000000u >> n;
  ++dcmf_peer(rank)->fetches;
  DMA_CounterSetValueById(&state->reception_counters, (int)(DCMF_COUNTER_FIRST + n), bytes);
  return DCMF_COUNTER_FIRST + n;
}

unsigned dcmf_counters_settle(void) {
  dcmf_state_t* state = dcmf_instance;
  if (state->counters_busy == 0) return 0;
  uint32_t hits = DMA_CounterGetHitZero(&state->reception_counters, WORD) & state->counters_busy;
  if (hits == 0) return 0;
  DMA_CounterGroupClearHitZero(&state->reception_counters, WORD, hits);
  unsigned served = 0;
  while (hits) {
    // In the order in which they were started: what comes from one rank in order is told in order.
    int first = __builtin_clz(hits);
    for (uint32_t others = hits; others; others &= others - 1) {
      const int n = 31 - __builtin_ctz(others);
      if ((int32_t)(state->counters[n].sequence - state->counters[first].sequence) < 0) first = n;
    }
    hits &= ~(0x80000000u >> first);
    const dcmf_counter_t counter = state->counters[first];
    state->counters_busy &= ~(0x80000000u >> first);
    --dcmf_peer(counter.rank)->fetches;
    counter.hit(counter.owner);
    ++served;
  }
  return served;
}
