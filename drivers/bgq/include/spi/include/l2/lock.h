/* SPDX-License-Identifier: Apache-2.0 */
/* Locks with tickets, drawn by the L2's operations: those who wait are served in order. */
#ifndef __LOCK_H
#define __LOCK_H

#include <hwi/include/common/bgq_alignment.h>
#include <hwi/include/common/compiler_support.h>
#include <spi/include/l2/atomic.h>
#include <stdint.h>

__BEGIN_DECLS

typedef struct {
  volatile uint64_t ticket;  /* the next one */
  volatile uint64_t serving; /* whose turn it is; behind it, so that IfEqual can compare */
} L2_Lock_t ALIGN_QUADWORD;

__INLINE__ void L2_LockInit(L2_Lock_t* l) {
  l->ticket = 0;
  l->serving = 0;
}

/* NoSync: the lock alone, without order of the accesses that it protects. */
__INLINE__ void L2_LockAcquireNoSync(L2_Lock_t* l) {
  const uint64_t ticket = L2_AtomicLoadIncrement(&l->ticket);
  while (l->serving != ticket) continue;
}
__INLINE__ void L2_LockAcquire(L2_Lock_t* l) {
  L2_LockAcquireNoSync(l);
  isync();
}
__INLINE__ void L2_LockReleaseNoSync(L2_Lock_t* l) {
  L2_AtomicStoreAdd(&l->serving, 1);
}
__INLINE__ void L2_LockRelease(L2_Lock_t* l) {
  ppc_msync();
  L2_LockReleaseNoSync(l);
}

/* 1: acquired; 0: somebody has it. */
__INLINE__ uint64_t L2_LockTryAcquireNoSync(L2_Lock_t* l) {
  return (int64_t)L2_AtomicLoadIncrementIfEqual(&l->ticket) >= 0;
}
__INLINE__ uint64_t L2_LockTryAcquire(L2_Lock_t* l) {
  const uint64_t acquired = L2_LockTryAcquireNoSync(l);
  isync();
  return acquired;
}

/* Who has it or waits. */
__INLINE__ int64_t L2_LockThreadsInLine(L2_Lock_t* l) {
  const uint64_t serving = l->serving;
  return (int64_t)(l->ticket - serving);
}
__INLINE__ uint64_t L2_LockIsBusy(L2_Lock_t* l) {
  return L2_LockThreadsInLine(l) > 0;
}

__END_DECLS

#endif
