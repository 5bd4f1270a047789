// SPDX-License-Identifier: Apache-2.0
/// The only functions with which drivers access devices and caches: loads and stores of quads and words, the memory
/// barrier, and the instructions of the data cache.
///
/// There are two implementations. On the emulated core (__ALTIVEC__) quad accesses are the AltiVec instructions lvx and
/// stvx, which replace the quad loads and stores of the machine's double FPU. On the host (BGL_ACCESS_MOCK) they are
/// the functions of access_mock.h, which record every access and answer reads from a script, so that a test sees
/// exactly what a driver function does.
///
/// Ordering. Device accesses take place in program order. Other accesses are ordered with respect to them only by
/// bgl_access_barrier(): when it returns, all accesses before it have taken effect.
///
/// Alignment. An address given to bgl_quad_load, bgl_quad_store or to the device accesses must be a multiple of 16: the
/// hardware ignores the low four bits of the address.
#ifndef TOROID_DRIVERS_BGL_ACCESS_H_
#define TOROID_DRIVERS_BGL_ACCESS_H_

#include <stdint.h>

#if defined(BGL_ACCESS_MOCK)

#include "drivers/bgl/access_mock.h"

#elif defined(__ALTIVEC__)

#include <altivec.h>
// altivec.h defines common words as macros; this file spells the types with underscores.
#undef vector
#undef pixel
#undef bool
#if defined(__bool_true_false_are_defined) && !defined(__cplusplus)
#define bool _Bool
#endif

#include "drivers/bgl/kernel.h"

typedef __vector unsigned char bgl_quad_t;

/// Reads the quad of the device register at `address`; a read of a FIFO removes it.
static inline bgl_quad_t bgl_access_read(uintptr_t address) {
  bgl_quad_t quad;
  __asm__ volatile("lvx %0,0,%1" : "=v"(quad) : "r"(address));
  return quad;
}

/// Writes `quad` to the device register at `address`.
static inline void bgl_access_write(uintptr_t address, bgl_quad_t quad) {
  __asm__ volatile("stvx %0,0,%1" : : "v"(quad), "r"(address));
}

/// Reads the word of the device register at `address`, a multiple of 4, in the core's byte order.
static inline uint32_t bgl_access_read_word(uintptr_t address) {
  uint32_t word;
  __asm__ volatile("lwz %0,0(%1)" : "=r"(word) : "b"(address));
  return word;
}
static inline void bgl_access_write_word(uintptr_t address, uint32_t word) {
  __asm__ volatile("stw %0,0(%1)" : : "r"(word), "b"(address));
}

/// Returns when all accesses before it have taken effect (the instruction msync, elsewhere called sync).
static inline void bgl_access_barrier(void) {
  __asm__ volatile("sync" : : : "memory");
}

/// The data cache line that contains `memory`: writes it back if it is dirty, and invalidates it (dcbf) or keeps it
/// (dcbst). Complete when a subsequent barrier returns.
static inline void bgl_access_flush_line(const void* memory) {
  __asm__ volatile("dcbf 0,%0" : : "r"(memory) : "memory");
}
static inline void bgl_access_store_line(const void* memory) {
  __asm__ volatile("dcbst 0,%0" : : "r"(memory) : "memory");
}

/// The same line: sets it to zero without fetching it (dcbz), for memory that will be overwritten completely; or
/// prefetches it without waiting (dcbt).
static inline void bgl_access_zero_line(void* memory) {
  __asm__ volatile("dcbz 0,%0" : : "r"(memory) : "memory");
}
static inline void bgl_access_touch_line(const void* memory) {
  __asm__ volatile("dcbt 0,%0" : : "r"(memory));
}

/// Writes back and invalidates the whole data cache of this core, by a kernel call.
static inline void bgl_access_flush_cache(void) {
  (void)bgl_flush_l1();
}

/// A quad of memory, at a multiple of 16.
static inline bgl_quad_t bgl_quad_load(const void* memory) {
  return vec_ld(0, (const unsigned char*)memory);
}
/// Forces the load of the quad to take place before any following device access: the compiler may not move the load
/// behind one.
static inline bgl_quad_t bgl_quad_now(bgl_quad_t quad) {
  __asm__ volatile("" : "+v"(quad));
  return quad;
}
static inline void bgl_quad_store(void* memory, bgl_quad_t quad) {
  vec_st(quad, 0, (unsigned char*)memory);
}

/// A quad of memory at any address. May read the rest of the aligned quads in which it begins and ends, but never
/// another page.
static inline bgl_quad_t bgl_quad_load_unaligned(const void* memory) {
  const unsigned char* from = (const unsigned char*)memory;
  return vec_perm(vec_ld(0, from), vec_ld(15, from), vec_lvsl(0, from));
}

/// The 16 bytes that begin `offset` (0..15) bytes into the 32 bytes of `first` and `second`.
static inline bgl_quad_t bgl_quad_join(bgl_quad_t first, bgl_quad_t second, unsigned offset) {
  return vec_perm(first, second, vec_lvsl((int)offset, (const unsigned char*)0));
}

#else
#error "compile with -maltivec for the emulated core, or with BGL_ACCESS_MOCK for the host"
#endif

#endif  // TOROID_DRIVERS_BGL_ACCESS_H_
