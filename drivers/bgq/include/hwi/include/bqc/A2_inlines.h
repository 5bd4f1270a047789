/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the core as functions: barriers, waiting, reservations, caches, the time base. */
#ifndef _A2_INLINES_H_
#define _A2_INLINES_H_

#include <hwi/include/bqc/A2_core.h>
#include <hwi/include/common/compiler_support.h>
#include <stdint.h>

__BEGIN_DECLS

#define mfspr(SPRN)                                               \
  ({                                                              \
    uint64_t bgq_spr_;                                            \
    __asm__ volatile("mfspr %0,%1" : "=r"(bgq_spr_) : "i"(SPRN)); \
    bgq_spr_;                                                     \
  })
#define mtspr(SPRN, value)                                                 \
  do {                                                                     \
    __asm__ volatile("mtspr %0,%1" : : "i"(SPRN), "r"((uint64_t)(value))); \
  } while (0)

/* Order of accesses. ppc_msync: all accesses before it are done. */
__INLINE__ void isync(void) {
  __asm__ volatile("isync" : : : "memory");
}
__INLINE__ void ppc_msync(void) {
  __asm__ volatile("sync" : : : "memory");
}
__INLINE__ void mbar(void) {
  __asm__ volatile(".long 0x7C0006AC" : : : "memory");
}

/* The hardware thread stops until an event of its wake-up unit, or until its reservation is lost. */
__INLINE__ void ppc_wait(void) {
  __asm__ volatile(".long 0x7C00007C" : : : "memory");
}
__INLINE__ void ppc_waitrsv(void) {
  __asm__ volatile(".long 0x7C20007C" : : : "memory");
}
__INLINE__ void ppc_waitimpl(void) {
  __asm__ volatile(".long 0x7C40007C" : : : "memory");
}
#define bgq_wait_bit9 ppc_waitimpl
#define bgq_wait_bit10 ppc_waitrsv

/* Empty turns of a loop; pclks of them. */
__INLINE__ void Delay(uint64_t pclks) {
  while (pclks-- != 0) __asm__ volatile("nop");
}
__INLINE__ void Delay_ns(uint64_t nsecs, uint64_t core_freq) {
  Delay((((uint64_t)(nsecs * 16 * 1024 / 1000) * core_freq) >> 14) + 1);
}

/* Accesses to devices; _sync orders them by mbar. */
__INLINE__ void out32(uint32_t* vaddr, uint32_t value) {
  *(volatile uint32_t*)vaddr = value;
}
__INLINE__ void out32_sync(uint32_t* vaddr, uint32_t value) {
  out32(vaddr, value);
  mbar();
}
__INLINE__ void out64(uint64_t* vaddr, uint64_t value) {
  *(volatile uint64_t*)vaddr = value;
}
__INLINE__ void out64_sync(uint64_t* vaddr, uint64_t value) {
  out64(vaddr, value);
  mbar();
}
__INLINE__ uint32_t in32(uint32_t* vaddr) {
  return *(volatile uint32_t*)vaddr;
}
__INLINE__ uint32_t in32_sync(uint32_t* vaddr) {
  mbar();
  return in32(vaddr);
}
__INLINE__ uint64_t in64(uint64_t* vaddr) {
  return *(volatile uint64_t*)vaddr;
}
__INLINE__ uint64_t in64_sync(uint64_t* vaddr) {
  mbar();
  return in64(vaddr);
}

/* Loads with a reservation; stores that are done if it holds: 1, or else 0. */
__INLINE__ uint32_t LoadReserved32(volatile uint32_t* pVar) {
  uint32_t value;
  __asm__ volatile("lwarx %0,0,%1" : "=r"(value) : "r"(pVar) : "memory");
  return value;
}
__INLINE__ uint64_t LoadReserved(volatile uint64_t* pVar) {
  uint64_t value;
  __asm__ volatile("ldarx %0,0,%1" : "=r"(value) : "r"(pVar) : "memory");
  return value;
}
__INLINE__ int StoreConditional32(volatile uint32_t* pVar, uint32_t Val) {
  int done = 1;
  __asm__ volatile("stwcx. %2,0,%1\n\tbeq 1f\n\tli %0,0\n1:" : "+b"(done) : "b"(pVar), "b"(Val) : "cr0", "memory");
  return done;
}
__INLINE__ int StoreConditional(volatile uint64_t* pVar, uint64_t Val) {
  int done = 1;
  __asm__ volatile("stdcx. %2,0,%1\n\tbeq 1f\n\tli %0,0\n1:" : "+b"(done) : "b"(pVar), "b"(Val) : "cr0", "memory");
  return done;
}

/* 1: *var was *pOldValue and is NewValue. 0: it was not; *pOldValue is what it was. */
__INLINE__ int Compare_and_Swap32(volatile uint32_t* var, uint32_t* pOldValue, uint32_t NewValue) {
  uint32_t found;
  do {
    found = LoadReserved32(var);
    if (found != *pOldValue) {
      *pOldValue = found;
      return 0;
    }
  } while (!StoreConditional32(var, NewValue));
  return 1;
}
__INLINE__ int Compare_and_Swap(uint64_t* var, uint64_t* pOldValue, uint64_t NewValue) {
  uint64_t found;
  do {
    found = LoadReserved(var);
    if (found != *pOldValue) {
      *pOldValue = found;
      return 0;
    }
  } while (!StoreConditional(var, NewValue));
  return 1;
}
/* Gives what was there. Earlier accesses are done before. */
__INLINE__ uint64_t Fetch_and_Add(uint64_t* pVar, uint64_t value) {
  uint64_t before;
  ppc_msync();
  do {
    before = LoadReserved(pVar);
  } while (!StoreConditional(pVar, before + value));
  return before;
}

/* Zeros from the most significant bit on; bits that are 1. */
__INLINE__ uint64_t cntlz32(uint32_t v) {
  uint64_t count;
  __asm__ volatile("cntlzw %0,%1" : "=r"(count) : "r"(v));
  return count;
}
__INLINE__ uint64_t cntlz64(uint64_t v) {
  uint64_t count;
  __asm__ volatile("cntlzd %0,%1" : "=r"(count) : "r"(v));
  return count;
}
__INLINE__ uint64_t popcnt64(uint64_t v) {
  uint64_t count;
  __asm__ volatile("popcntd %0,%1" : "=r"(count) : "r"(v));
  return count;
}
/* Rotates rs and inserts its bits from mb on into ra, where the rotation ends. */
#define RLIMI64(ra, rs, sh, mb) __asm__("rldimi %0,%2,%3,%4" : "=r"(ra) : "0"(ra), "r"(rs), "i"(sh), "i"(mb))

/* Core clocks since the machine was started; waiting for a number of them. */
__INLINE__ uint64_t GetTimeBase(void) {
  return mfspr(SPRN_TBRO);
}
__INLINE__ void DelayTimeBase(uint64_t tb_delta) {
  const uint64_t until = GetTimeBase() + tb_delta;
  while (GetTimeBase() < until) continue;
}

/* Cache lines; ct 0 is the first level, 2 the second. */
#define DCBF_CT(vaddr, ct) __asm__ volatile("dcbf 0,%0,%1" : : "b"(vaddr), "i"(ct))
#define DCBT_CT(vaddr, ct) __asm__ volatile("dcbt %1,0,%0" : : "b"(vaddr), "i"(ct))
#define DCBTST_CT(vaddr, ct) __asm__ volatile("dcbtst %1,0,%0" : : "b"(vaddr), "i"(ct))
#define ICBT_CT(vaddr, ct) __asm__ volatile("icbt %1,0,%0" : : "b"(vaddr), "i"(ct))
__INLINE__ void dcache_block_touch(void* vaddr) {
  __asm__ volatile("dcbt 0,%0" : : "b"(vaddr));
}
__INLINE__ void icache_block_touch(void* vaddr) {
  ICBT_CT(vaddr, 0);
}
__INLINE__ void dcbt_l2(void* vaddr) {
  __asm__ volatile("dcbt 2,0,%0" : : "b"(vaddr));
}
/* Zeros the line of 64 bytes. */
__INLINE__ void dcache_block_zero(void* vaddr) {
  __asm__ volatile("dcbz 0,%0" : : "b"(vaddr) : "memory");
}
__INLINE__ void icache_block_inval(void* vaddr) {
  __asm__ volatile("icbi 0,%0" : : "b"(vaddr) : "memory");
}

/* The part of the core's issue slots that the hardware thread has. */
__INLINE__ void ThreadPriority_Medium(void) {
  __asm__ volatile("or 2,2,2");
}
__INLINE__ void ThreadPriority_MediumLow(void) {
  __asm__ volatile("or 6,6,6");
}
__INLINE__ void ThreadPriority_Low(void) {
  __asm__ volatile("or 1,1,1");
}
#define Kernel_ThreadPriority_High ThreadPriority_Medium
#define Kernel_ThreadPriority_Medium ThreadPriority_MediumLow
#define Kernel_ThreadPriority_Low ThreadPriority_Low
#define Kernel_GetTimeBase GetTimeBase

__END_DECLS

#endif
