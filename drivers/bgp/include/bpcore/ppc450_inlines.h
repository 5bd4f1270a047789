/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of the PowerPC 450 as functions and macros: special and device control registers, caches, barriers,
 * reservations, the time base, device words and quads.
 */
#ifndef _PPC450_INLINES_H_
#define _PPC450_INLINES_H_

#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_core.h>
#include <common/namespace.h>

#if !defined(__ASSEMBLY__)

__BEGIN_DECLS

/* Special registers; SPRN is a constant. */
#define _bgp_mfspr(SPRN)                                                     \
  (__extension__({                                                           \
    uint32_t bgp_spr_;                                                       \
    __asm__ volatile("mfspr %0,%1" : "=r"(bgp_spr_) : "i"(SPRN) : "memory"); \
    bgp_spr_;                                                                \
  }))
#define _bgp_mtspr(SPRN, value)                                                       \
  do {                                                                                \
    __asm__ volatile("mtspr %0,%1" : : "i"(SPRN), "r"((uint32_t)(value)) : "memory"); \
  } while (0)

/* Device control registers: by a constant number or by one in a register; with u, from user mode. */
#define _bgp_mfdcr(DCRN)                                          \
  (__extension__({                                                \
    uint32_t bgp_dcr_;                                            \
    __asm__ volatile("mfdcr %0,%1" : "=r"(bgp_dcr_) : "i"(DCRN)); \
    bgp_dcr_;                                                     \
  }))
#define _bgp_mtdcr(DCRN, value)                                            \
  do {                                                                     \
    __asm__ volatile("mtdcr %0,%1" : : "i"(DCRN), "r"((uint32_t)(value))); \
  } while (0)
__INLINE__ uint32_t _bgp_mfdcrx(uint32_t dcrn) {
  uint32_t value;
  __asm__ volatile("mfdcrx %0,%1" : "=r"(value) : "r"(dcrn) : "memory");
  return value;
}
__INLINE__ void _bgp_mtdcrx(uint32_t dcrn, uint32_t value) {
  __asm__ volatile("mtdcrx %0,%1" : : "r"(dcrn), "r"(value) : "memory");
}
__INLINE__ uint32_t _bgp_mfdcrux(uint32_t dcrn) {
  uint32_t value;
  __asm__ volatile("mfdcrux %0,%1" : "=r"(value) : "r"(dcrn) : "memory");
  return value;
}
__INLINE__ void _bgp_mtdcrux(uint32_t dcrn, uint32_t value) {
  __asm__ volatile("mtdcrux %0,%1" : : "r"(dcrn), "r"(value) : "memory");
}

/* Barriers. msync waits until all accesses before it have taken effect; mbar keeps those before it before those after
 * it. The non-speculative forms stand behind a branch, past which the core does not fetch ahead. */
#define _bgp_msync() __asm__ volatile("msync" : : : "memory")
#define _bgp_mbar() __asm__ volatile("mbar" : : : "memory")
#define _bgp_isync() __asm__ volatile("isync" : : : "memory")
__INLINE__ void _bgp_msync_nonspeculative(void) {
  __asm__ volatile("b 1f\n\tnop\n1:\tmsync" : : : "memory");
}
__INLINE__ void _bgp_mbar_nonspeculative(void) {
  __asm__ volatile("b 1f\n\tnop\n1:\tmbar" : : : "memory");
}

/* The cache line that contains an address. */
#define _bgp_dcache_zero_line(v) __asm__ volatile("dcbz 0,%0" : : "r"(v) : "memory")
#define _bgp_dcache_flush_line(v) __asm__ volatile("dcbf 0,%0" : : "r"(v) : "memory")
#define _bgp_dcache_store_line(v) __asm__ volatile("dcbst 0,%0" : : "r"(v) : "memory")
#define _bgp_dcache_touch_line(v) __asm__ volatile("dcbt 0,%0" : : "r"(v))
#define _bgp_dcache_invalidate_line(v) __asm__ volatile("dcbi 0,%0" : : "r"(v) : "memory")
#define _bgp_icache_invalidate_line(v) __asm__ volatile("icbi 0,%0" : : "r"(v) : "memory")
#define _bgp_dcache_invalidate_all() __asm__ volatile("dccci 0,0" : : : "memory")
#define _bgp_icache_invalidate_all() __asm__ volatile("iccci 0,0" : : : "memory")
#define _bgp_dccci() _bgp_dcache_invalidate_all()

/* All lines of `bytes` bytes from the line of `addr` on. */
#define BGP_DCACHE_RANGE_(name, instruction)                                                                         \
  __INLINE__ void name(uint32_t addr, uint32_t bytes) {                                                              \
    uint32_t line = addr & L1D_CACHE_MASK;                                                                           \
    const uint32_t end = line + ((bytes + L1D_CACHE_LINE_SIZE - 1) & L1D_CACHE_MASK);                                \
    for (; line != end; line += L1D_CACHE_LINE_SIZE) __asm__ volatile(instruction " 0,%0" : : "r"(line) : "memory"); \
  }
BGP_DCACHE_RANGE_(_bgp_dcache_store_bytes, "dcbst")
BGP_DCACHE_RANGE_(_bgp_dcache_touch_bytes, "dcbt")
BGP_DCACHE_RANGE_(_bgp_dcache_invalidate_bytes, "dcbi")
BGP_DCACHE_RANGE_(_bgp_dcache_flush_bytes, "dcbf")
#undef BGP_DCACHE_RANGE_

/* Reservations: a word loaded with one, and a store that takes place, and returns 1, if nobody has stored since. */
__INLINE__ uint32_t _bgp_LoadReserved(volatile uint32_t* pVar) {
  uint32_t value;
  __asm__ volatile("lwarx %0,0,%1" : "=r"(value) : "r"(pVar) : "memory");
  return value;
}
__INLINE__ uint32_t _bgp_LoadReservedMsync(volatile uint32_t* pVar) {
  _bgp_msync();
  return _bgp_LoadReserved(pVar);
}
__INLINE__ int _bgp_StoreConditional(volatile uint32_t* pVar, uint32_t Val) {
  uint32_t condition;
  __asm__ volatile("stwcx. %2,0,%1\n\tmfcr %0" : "=r"(condition) : "r"(pVar), "r"(Val) : "cc", "memory");
  return (int)(condition >> 29 & 1u); /* CR0.EQ */
}

/* The time base: a tick a cycle of the core. A function of the library, because programs define it themselves. */
uint64_t _bgp_GetTimeBase(void);

__INLINE__ int _bgp_PhysicalProcessorID(void) {
  return (int)(_bgp_mfspr(SPRN_PIR) & PIR_PIN(0xFF));
}
__INLINE__ uint32_t _bgp_ProcessorVersion(void) {
  return _bgp_mfspr(SPRN_PVR);
}

__INLINE__ uint32_t _bgp_cntlz(uint32_t v) {
  uint32_t zeros;
  __asm__("cntlzw %0,%1" : "=r"(zeros) : "r"(v));
  return zeros;
}
#define _bgp_CurrentStackAddress()                  \
  (__extension__({                                  \
    uint32_t bgp_stack_;                            \
    __asm__ volatile("mr %0,1" : "=r"(bgp_stack_)); \
    bgp_stack_;                                     \
  }))
__INLINE__ void _bgp_nop(void) {
  __asm__ volatile("nop");
}
/* `pclks` turns of a loop, each of at least one cycle. */
__INLINE__ void _bgp_Delay(uint32_t pclks) {
  for (; pclks != 0; pclks--) _bgp_nop();
}
/* At least `nsecs` nanoseconds at `core_freq` MHz. */
__INLINE__ void _bgp_Delay_ns(uint32_t nsecs, uint32_t core_freq) {
  _bgp_Delay((uint32_t)((uint64_t)nsecs * core_freq / 1000) + 1);
}

/* A kernel call without arguments. */
__INLINE__ int _bgp_SystemCall(uint32_t sc_num) {
  register uint32_t number __asm__("r0") = sc_num;
  register int result __asm__("r3") = 0;
  __asm__ volatile("sc"
                   : "+r"(number), "+r"(result)
                   :
                   : "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "cc", "ctr", "memory");
  return result;
}

/* Words and doublewords of devices: a write is followed by mbar, a read of a word comes after one. */
__INLINE__ void _bgp_Out32(uint32_t* vaddr, uint32_t value) {
  *(volatile uint32_t*)vaddr = value;
  _bgp_mbar();
}
__INLINE__ uint32_t _bgp_In32(uint32_t* vaddr) {
  _bgp_mbar();
  return *(volatile uint32_t*)vaddr;
}
__INLINE__ void _bgp_Out64(uint64_t* vaddr, uint64_t value) {
  union {
    uint64_t word;
    double number;
  } as;
  as.word = value;
  *(volatile double*)vaddr = as.number;
  _bgp_mbar();
}
__INLINE__ uint64_t _bgp_In64(uint64_t* vaddr) {
  union {
    uint64_t word;
    double number;
  } as;
  as.number = *(volatile double*)vaddr;
  _bgp_mbar();
  return as.word;
}

/* Quads by the registers of the double FPU; f is a register's number. A quad that QuadLoad has loaded stays in the
 * register until QuadStore stores it only if the compiler uses none in between. */
#define _BGP_STR(s) #s
#ifndef STR
#define STR(s) #s
#endif
#define _bgp_QuadLoad(v, f) __asm__ volatile("lfpdx " _BGP_STR(f) ",0,%0" : : "r"(v) : "fr" _BGP_STR(f))
#define _bgp_QuadStore(v, f) __asm__ volatile("stfpdx " _BGP_STR(f) ",0,%0" : : "r"(v) : "memory")
#define _bgp_QuadMove(src, dst, f)                                             \
  __asm__ volatile("lfpdx " _BGP_STR(f) ",0,%0\n\tstfpdx " _BGP_STR(f) ",0,%1" \
                   :                                                           \
                   : "r"(src), "r"(dst)                                        \
                   : "memory", "fr" _BGP_STR(f))

__END_DECLS

#endif
#endif
