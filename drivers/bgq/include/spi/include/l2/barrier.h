/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of threads, counted by the L2's operations. */
#ifndef _L2_BARRIER_H_
#define _L2_BARRIER_H_

#include <hwi/include/common/bgq_alignment.h>
#include <spi/include/l2/atomic.h>
#include <stdint.h>

typedef struct {
  volatile __attribute__((aligned(L1D_CACHE_LINE_SIZE))) uint64_t start; /* arrivals before this barrier */
  volatile __attribute__((aligned(L1D_CACHE_LINE_SIZE))) uint64_t count; /* arrivals */
} L2_Barrier_t;

#define L2_BARRIER_INITIALIZER \
  { 0, 0 }

__BEGIN_DECLS

/* Waits for numthreads; which of them the caller was, from 0 on. */
__INLINE__ int L2_BarrierWithTicket(L2_Barrier_t* b, int numthreads) {
  const uint64_t start = b->start;
  uint64_t ticket;
  ppc_msync();
  ticket = L2_AtomicLoadIncrement(&b->count);
  if (ticket + 1 == start + (uint64_t)numthreads)
    b->start = ticket + 1;
  else
    while (b->start <= ticket) continue;
  return (int)(ticket - start);
}
__INLINE__ void L2_Barrier(L2_Barrier_t* b, int numthreads) {
  L2_BarrierWithTicket(b, numthreads);
}

__END_DECLS

#endif
