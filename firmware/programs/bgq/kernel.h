/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel calls and special registers of Blue Gene/Q (nic/bgq/kernel_services.h), for programs that have no library.
 */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_KERNEL_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_KERNEL_H

#include <stdint.h>

#include "nic/bgq/kernel_services.h"

/* Result of the call: 0 or a positive errno unless the call says otherwise. Pointers are given as numbers. */
static inline uint64_t kernel_call(uint64_t number, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth,
                                   uint64_t fifth) {
  register uint64_t r0 __asm__("r0") = number;
  register uint64_t r3 __asm__("r3") = first;
  register uint64_t r4 __asm__("r4") = second;
  register uint64_t r5 __asm__("r5") = third;
  register uint64_t r6 __asm__("r6") = fourth;
  register uint64_t r7 __asm__("r7") = fifth;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7)
                   :
                   : "r8", "r9", "r10", "r11", "r12", "cr0", "memory");
  return r3;
}

/* Of the hardware thread: BGQ_PLACE_. */
static inline uint64_t place_of_thread(void) {
  uint64_t value;
  __asm__ volatile("mfspr %0, 263" : "=r"(value));
  return value;
}

/* Core clocks since the machine was started. */
static inline uint64_t time_base(void) {
  uint64_t value;
  __asm__ volatile("mfspr %0, 268" : "=r"(value));
  return value;
}

/* Physical address of `at`, whose segment does not move; 0 if it is no memory. */
static inline uint64_t physical(const volatile void* at) {
  struct {
    uint64_t bytes, va, pa;
  } region;
  const uint64_t va = (uint64_t)at;
  if (kernel_call(BGQ_SYS_GET_MEMORY_REGION, (uint64_t)&region, va, 1, 0, 0) != 0) return 0;
  return va - region.va + region.pa;
}

#endif
