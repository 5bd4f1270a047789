// SPDX-License-Identifier: Apache-2.0
// The critical section: a lock that its owner may take again. Threads take it in the order in which they came: one that
// takes it again and again, as one that waits for a message does, could otherwise keep it for ever. They wait with
// plain loads, and cycling a lock that nobody waits for changes nothing.
#include "firmware/bgp/dcmf/state.h"

int32_t DCMF_CriticalSection_flag;

static uint32_t tickets;  // of threads that came
static uint32_t served;   // the ticket of the thread that has the lock or may take it
static uintptr_t owner;   // its variable below, or 0
static uint32_t depth;
static __thread char self;

void DCMF_CriticalSection_enter_func(uint32_t x) {
  (void)x;
  const uintptr_t me = (uintptr_t)&self;
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != me) {
    const uint32_t mine = __atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&served, __ATOMIC_ACQUIRE) != mine) {
    }
    __atomic_store_n(&owner, me, __ATOMIC_RELAXED);
    if (dcmf_instance->interrupts_here) dcmf_mask_interrupts();
  }
  ++depth;
}

void DCMF_CriticalSection_exit_func(uint32_t x) {
  (void)x;
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self) return;
  if (--depth != 0) return;
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&served, served + 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&dcmf_instance->interrupts_masked, __ATOMIC_SEQ_CST)) dcmf_unmask_interrupts();
}

bool dcmf_try_enter(void) {
  uint32_t free = __atomic_load_n(&served, __ATOMIC_SEQ_CST);
  if (!__atomic_compare_exchange_n(&tickets, &free, free + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return false;
  __atomic_store_n(&owner, (uintptr_t)&self, __ATOMIC_RELAXED);
  depth = 1;
  return true;
}

void DCMF_CriticalSection_cycle_func(uint32_t x) {
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self || depth != 1) return;
  if (__atomic_load_n(&tickets, __ATOMIC_RELAXED) == served + 1) return;
  DCMF_CriticalSection_exit_func(x);
  DCMF_CriticalSection_enter_func(x);
}
