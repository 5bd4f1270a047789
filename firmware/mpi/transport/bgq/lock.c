// SPDX-License-Identifier: Apache-2.0
// The library's lock, which its owner may take again, in front of that of PAMI's context. PAMI does not say in which
// order threads get a context's lock: of several that wait for messages and take it again and again, two could keep it
// between them for ever. So threads draw tickets and get the lock in their order; one that gives way draws a new one.
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/transport/bgq/bgq.h"

bool mpit_bgq_multiple;

static uintptr_t owner;   // its variable below, or 0
static uint32_t depth;    // how often the owner has it
static uint32_t tickets;  // that have been drawn
static uint32_t serving;  // the ticket of the thread that has the lock, or of the next one
static __thread char self;

int mpit_provide_threads(int required) {
  mpit_bgq_multiple = required == MPI_THREAD_MULTIPLE;
  return required;
}

static void take(void) {
  const uint32_t ticket = __atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&serving, __ATOMIC_ACQUIRE) != ticket) {
  }
  PAMI_Context_lock(mpit_bgq_context);
  __atomic_store_n(&owner, (uintptr_t)&self, __ATOMIC_RELAXED);
}

static void release(void) {
  if (mpit_bgq_served()) mpii_lets_interrupt();
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  PAMI_Context_unlock(mpit_bgq_context);
  __atomic_store_n(&serving, serving + 1, __ATOMIC_RELEASE);
}

void mpit_bgq_lock(void) {
  if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != (uintptr_t)&self) take();
  if (++depth == 1) mpii_got_lock();
}

void mpit_bgq_unlock(void) {
  if (--depth == 0) release();
}

void mpit_bgq_give_way(void) {
  if (depth != 1 || __atomic_load_n(&tickets, __ATOMIC_RELAXED) == serving + 1) return;
  depth = 0;
  release();
  mpit_bgq_lock();
}
