/* SPDX-License-Identifier: Apache-2.0 */
/* Cache lines and moves of 32 bytes, which go through the registers of the quad unit. */
#ifndef _MUSPI_UTIL_H_
#define _MUSPI_UTIL_H_

#include <hwi/include/common/compiler_support.h>
#include <spi/include/kernel/cnk/kernel_impl.h>

__BEGIN_DECLS

/* Of the line at vaddr + inc: loads it, into the second level alone; makes its 64 bytes 0. */
#define muspi_dcbt(vaddr, inc) \
  { __asm__ volatile("dcbt %0,%1" : : "b"(vaddr), "r"((uint64_t)(inc)) : "memory"); }
#define muspi_dcbt_l2(vaddr, inc) \
  { __asm__ volatile("dcbt 2,%0,%1" : : "b"(vaddr), "r"((uint64_t)(inc)) : "memory"); }
#define muspi_dcbz(vaddr, inc) \
  { __asm__ volatile("dcbz %0,%1" : : "b"(vaddr), "r"((uint64_t)(inc)) : "memory"); }

/* qvlfdx and qvstfdx of a double variable fp, at si + sb, a multiple of 32: words, because the assembler of today knows
 * neither. */
#define VECTOR_LOAD_NU(si, sb, fp)                                                      \
  do {                                                                                  \
    __asm__ volatile(".long 31 << 26 | (%0) << 21 | (%1) << 16 | (%2) << 11 | 583 << 1" \
                     : "=f"(fp)                                                         \
                     : "b"(si), "r"((uint64_t)(sb))                                     \
                     : "memory");                                                       \
  } while (0)
#define VECTOR_STORE_NU(si, sb, fp)                                                     \
  do {                                                                                  \
    __asm__ volatile(".long 31 << 26 | (%0) << 21 | (%1) << 16 | (%2) << 11 | 711 << 1" \
                     :                                                                  \
                     : "f"(fp), "b"(si), "r"((uint64_t)(sb))                            \
                     : "memory");                                                       \
  } while (0)

/* Copies a descriptor, from a multiple of 32 to one. */
__INLINE__ void bgq_copy_descriptor(void* to, const void* from) {
  __asm__ volatile(
      ".long 31 << 26 | (%1) << 11 | 583 << 1\n\t"
      ".long 31 << 26 | 1 << 21 | (%2) << 16 | (%1) << 11 | 583 << 1\n\t"
      ".long 31 << 26 | (%0) << 11 | 711 << 1\n\t"
      ".long 31 << 26 | 1 << 21 | (%2) << 16 | (%0) << 11 | 711 << 1"
      :
      : "r"(to), "r"(from), "b"(32ull)
      : "fr0", "fr1", "memory");
}

__END_DECLS

#endif
