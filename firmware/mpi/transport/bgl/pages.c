// SPDX-License-Identifier: Apache-2.0
// Memory for interrupts: the system call mmap(), without the C library. It takes six arguments.
#include "firmware/mpi/transport/bgl/bgl.h"

uintptr_t mpit_pages(size_t bytes) {
  enum { MMAP2 = 192, READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  register uint32_t r0 __asm__("r0") = MMAP2;
  register uint32_t r3 __asm__("r3") = 0;
  register uint32_t r4 __asm__("r4") = bytes;
  register uint32_t r5 __asm__("r5") = READ_WRITE;
  register uint32_t r6 __asm__("r6") = PRIVATE_ANONYMOUS;
  register uint32_t r7 __asm__("r7") = UINT32_MAX;
  register uint32_t r8 __asm__("r8") = 0;
  uint32_t condition;
  __asm__ volatile("sc\n\tmfcr %7"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8), "=&r"(condition)
                   :
                   : "r9", "r10", "r11", "r12", "cr0", "ctr", "xer", "memory");
  return (condition & 0x10000000u) != 0 ? 0 : r3;
}
