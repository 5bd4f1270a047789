/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lockbox: 1,024 counters of the node that a load or a store changes at once. A counter's address has four
 * neighbours: at +0 a load reads it and a store sets it, at +0x200 a load reads and increments it, at +0x400 it reads
 * and decrements, at +0x600 it reads and clears.
 */
#ifndef _BGP_SPI_LOCKBOX_INLINES_H_
#define _BGP_SPI_LOCKBOX_INLINES_H_

#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_core.h>
#include <bpcore/ppc450_inlines.h>
#include <common/bgp_bitnumbers.h>
#include <common/linkage.h>
#include <common/namespace.h>
#include <errno.h>
#include <spi/bgp_kernel_inlines.h>

__BEGIN_DECLS

#define _BGP_LOCKBOX_OP_QUERY _B2(22, 0x0)
#define _BGP_LOCKBOX_OP_INC _B2(22, 0x1)
#define _BGP_LOCKBOX_OP_DEC _B2(22, 0x2)
#define _BGP_LOCKBOX_OP_CLEAR _B2(22, 0x3)

/* The first of the counters that the kernel keeps for itself: assumed. */
#define LOCKBOX_RESERVED_LOCKID 1008

/* A flag of the allocation: the master core must allocate before the others. */
#define LOCKBOX_ORDERED_ALLOC 0x100

typedef uint32_t* LockBox_Counter_t;
typedef LockBox_Counter_t LockBox_Mutex_t;

/* A barrier of cores, of five counters: which of the two locks is in use, the two locks, and a status for each. */
typedef struct {
  LockBox_Counter_t ctrl_lock;
  LockBox_Counter_t lock[2];
  LockBox_Counter_t status[2];
  uint8_t mastercore;
  uint8_t numcores;
} LockBox_Barrier_t;

__INLINE__ uint32_t* bgp_lockbox_operation(LockBox_Counter_t lba, uint32_t operation) {
  return (uint32_t*)(void*)((char*)lba + operation);
}
__INLINE__ uint32_t LockBox_Query(LockBox_Counter_t lba) {
  return _bgp_In32(bgp_lockbox_operation(lba, _BGP_LOCKBOX_OP_QUERY));
}
__INLINE__ void LockBox_Write(LockBox_Counter_t lba, uint32_t value) {
  _bgp_Out32(bgp_lockbox_operation(lba, _BGP_LOCKBOX_OP_QUERY), value);
}
__INLINE__ uint32_t LockBox_FetchAndInc(LockBox_Counter_t lba) {
  return _bgp_In32(bgp_lockbox_operation(lba, _BGP_LOCKBOX_OP_INC));
}
__INLINE__ uint32_t LockBox_FetchAndDec(LockBox_Counter_t lba) {
  return _bgp_In32(bgp_lockbox_operation(lba, _BGP_LOCKBOX_OP_DEC));
}
__INLINE__ uint32_t LockBox_FetchAndClear(LockBox_Counter_t lba) {
  return _bgp_In32(bgp_lockbox_operation(lba, _BGP_LOCKBOX_OP_CLEAR));
}

/* Each takes the counters from `desired` (0 to 1023) on, for 1 to 4 cores of which `mastercore` sets them to 0. Returns
 * 0, EINVAL, or EAGAIN if the counters are taken. */
__INLINE__ int bgp_lockbox_allocate(uint32_t desired, uint32_t count, LockBox_Counter_t* ptr, uint32_t mastercore,
                                    uint32_t numcores, uint32_t flags) {
  if (numcores < 1 || numcores > 4) return EINVAL;
  return Kernel_AllocateLockBox(desired, count, ptr, mastercore << 4 | numcores | flags);
}
__INLINE__ int LockBox_AllocateCounter(uint32_t desired, LockBox_Counter_t* ptr, uint32_t mastercore, uint32_t numcores,
                                       uint32_t flags) {
  return bgp_lockbox_allocate(desired, 1, ptr, mastercore, numcores, flags);
}
__INLINE__ int LockBox_AllocateMutex(uint32_t desired, LockBox_Mutex_t* ptr, uint32_t mastercore, uint32_t numcores,
                                     uint32_t flags) {
  return bgp_lockbox_allocate(desired, 1, ptr, mastercore, numcores, flags);
}
__INLINE__ int LockBox_AllocateBarrier(uint32_t desired, LockBox_Barrier_t* ptr, uint32_t mastercore, uint32_t numcores,
                                       uint32_t flags) {
  ptr->mastercore = (uint8_t)mastercore;
  ptr->numcores = (uint8_t)numcores;
  return bgp_lockbox_allocate(desired, 5, &ptr->ctrl_lock, mastercore, numcores, flags);
}

/* A mutex is free if its counter is 0. */
__INLINE__ int LockBox_MutexTryLock(LockBox_Mutex_t mutex) {
  return LockBox_FetchAndInc(mutex) == 0 ? 0 : EBUSY;
}
__INLINE__ int LockBox_MutexLock(LockBox_Mutex_t mutex) {
  while (LockBox_MutexTryLock(mutex) != 0) {
  }
  return 0;
}
__INLINE__ int LockBox_MutexUnlock(LockBox_Mutex_t mutex) {
  (void)LockBox_FetchAndClear(mutex);
  return 0;
}

/* The end of a barrier: the master core makes the other lock the one in use, and sets this one free. */
__INLINE__ void bgp_lockbox_leave(LockBox_Barrier_t* ptr, uint32_t used) {
  if (Kernel_PhysicalProcessorID() == ptr->mastercore) {
    if (used != 0)
      (void)LockBox_FetchAndDec(ptr->ctrl_lock);
    else
      (void)LockBox_FetchAndInc(ptr->ctrl_lock);
    (void)LockBox_FetchAndClear(ptr->status[used]);
    (void)LockBox_FetchAndClear(ptr->lock[used]);
  } else {
    while (LockBox_Query(ptr->lock[used]) != 0) {
    }
  }
}
/* Comes to the barrier, and waits until all cores have come or have even left. */
__INLINE__ void bgp_lockbox_arrive(LockBox_Barrier_t* ptr, uint32_t used) {
  uint32_t arrived;
  (void)LockBox_FetchAndInc(ptr->lock[used]);
  do arrived = LockBox_Query(ptr->lock[used]);
  while (arrived != 0 && arrived < ptr->numcores);
}

/* Returns 0 when all cores of the barrier have called it. */
__INLINE__ int LockBox_Barrier(LockBox_Barrier_t* ptr) {
  uint32_t used;
  _bgp_msync();
  used = LockBox_Query(ptr->ctrl_lock);
  bgp_lockbox_arrive(ptr, used);
  bgp_lockbox_leave(ptr, used);
  return 0;
}

/* The same; returns how many cores have called it with a status other than 0. */
__INLINE__ int LockBox_BarrierStatus(LockBox_Barrier_t* ptr, uint32_t status) {
  uint32_t used, failed;
  _bgp_msync();
  used = LockBox_Query(ptr->ctrl_lock);
  if (status != 0) (void)LockBox_FetchAndInc(ptr->status[used]);
  bgp_lockbox_arrive(ptr, used);
  failed = LockBox_Query(ptr->status[used]);
  /* A second time, so that nobody clears the status before all have read it. */
  (void)LockBox_FetchAndInc(ptr->lock[used]);
  while (LockBox_Query(ptr->lock[used]) < 2u * ptr->numcores) {
  }
  bgp_lockbox_leave(ptr, used);
  return (int)failed;
}

__END_DECLS

#endif
