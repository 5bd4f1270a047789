// SPDX-License-Identifier: Apache-2.0
// The critical section: a lock that its owner may take again. Threads that wait look with plain loads, so that they
// leave the lock's word alone.
#include "firmware/bgp/dcmf/state.h"

int32_t DCMF_CriticalSection_flag;

static uintptr_t owner;  // of the lock: its thread's variable below, or 0
static uint32_t depth;
static __thread char self;

enum { PAUSE = 50 };  // turns of a thread that has just let go, so that another one can take the lock

void DCMF_CriticalSection_enter_func(uint32_t x) {
  (void)x;
  const uintptr_t me = (uintptr_t)&self;
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != me) {
    for (uintptr_t none = 0; !__atomic_compare_exchange_n(&owner, &none, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
         none = 0) {
      while (__atomic_load_n(&owner, __ATOMIC_RELAXED) != 0) {
      }
    }
  }
  ++depth;
}

void DCMF_CriticalSection_exit_func(uint32_t x) {
  (void)x;
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self) return;
  if (--depth == 0) __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}

void DCMF_CriticalSection_cycle_func(uint32_t x) {
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self || depth != 1) return;
  DCMF_CriticalSection_exit_func(x);
  for (unsigned i = 0; i < PAUSE; ++i) __asm__ volatile("");
  DCMF_CriticalSection_enter_func(x);
}
