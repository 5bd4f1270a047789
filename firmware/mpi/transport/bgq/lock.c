// SPDX-License-Identifier: Apache-2.0
// The library's lock: that of PAMI's context, which its owner may take again. PAMI does not say in which order threads
// get a context's lock: one that takes it again and again, as one that waits for a message does, could keep it for
// ever. So a thread that gives way waits until another one has had the lock.
#include "firmware/mpi/transport/bgq/bgq.h"

bool mpit_bgq_multiple;

static uintptr_t owner;   // its variable below, or 0
static uint32_t depth;    // how often the owner has it
static uint32_t wanting;  // threads that wait for it
static uint32_t turns;    // how often a thread has got it
static __thread char self;

int mpit_provide_threads(int required) {
  mpit_bgq_multiple = required == MPI_THREAD_MULTIPLE;
  return required;
}

static void take(void) {
  __atomic_fetch_add(&wanting, 1, __ATOMIC_SEQ_CST);
  PAMI_Context_lock(mpit_bgq_context);
  __atomic_fetch_sub(&wanting, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&turns, turns + 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&owner, (uintptr_t)&self, __ATOMIC_RELAXED);
}

static void release(void) {
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  PAMI_Context_unlock(mpit_bgq_context);
}

void mpit_bgq_lock(void) {
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self) take();
  ++depth;
}

void mpit_bgq_unlock(void) {
  if (--depth == 0) release();
}

void mpit_bgq_give_way(void) {
  if (depth != 1 || __atomic_load_n(&wanting, __ATOMIC_SEQ_CST) == 0) return;
  const uint32_t mine = turns;
  depth = 0;
  release();
  while (__atomic_load_n(&turns, __ATOMIC_SEQ_CST) == mine) {
  }
  mpit_bgq_lock();
}
