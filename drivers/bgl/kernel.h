// SPDX-License-Identifier: Apache-2.0
/// The kernel's services beyond Linux's system calls, and the core's clock. Numbers and structures are defined in
/// hw/kernel/kernel_abi.h.
///
/// Functions that can fail return 0 or a positive errno; after an error their result is 0.
#ifndef TOROID_DRIVERS_BGL_KERNEL_H_
#define TOROID_DRIVERS_BGL_KERNEL_H_

#include <stdint.h>

#include "hw/kernel/kernel_abi.h"
#include "nic/bgl/addresses.h"
#include "nic/torus/dcr_regs.h"

#if !defined(__powerpc__)
#error "system calls of the emulated core: for the host, give a test functions of its own in their place"
#endif

/// Makes a system call with up to three arguments. Returns 0 and sets *result, or returns a positive errno.
static inline int bgl_system_call(uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t* result) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = a;
  register uint32_t r4 __asm__("r4") = b;
  register uint32_t r5 __asm__("r5") = c;
  uint32_t condition;
  __asm__ volatile("sc\n\tmfcr %4"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "=&r"(condition)
                   :
                   : "r6", "r7", "r8", "r9", "r10", "r11", "r12", "cr0", "ctr", "xer", "memory");
  const int failed = (condition & 0x10000000u) != 0;  // CR0.SO
  *result = failed ? 0 : r3;
  return failed ? (int)r3 : 0;
}

/// Fills in the personality: the kernel's information about the machine and this process's place in it.
static inline int bgl_get_personality(struct toroid_personality* personality) {
  uint32_t bytes;
  return bgl_system_call(TOROID_SYS_GET_PERSONALITY, (uint32_t)(uintptr_t)personality, sizeof *personality, 0, &bytes);
}

/// Gets the places of `count` ranks from `first` on, TOROID_MAP_WORDS words each; *got is the number of ranks returned.
static inline int bgl_get_map(uint32_t* places, uint32_t first, uint32_t count, uint32_t* got) {
  return bgl_system_call(TOROID_SYS_GET_MAP, (uint32_t)(uintptr_t)places, first, count, got);
}

/// Device control registers of the torus: `offset` is TORUS_DCR_..._OFFSET. Returns EINVAL if the register does not
/// exist or cannot be read (written).
static inline int bgl_torus_dcr_read(uint32_t offset, uint32_t* value) {
  return bgl_system_call(TOROID_SYS_DCR_READ, BGL_TORUS_DCR_BASE + offset, 0, 0, value);
}
static inline int bgl_torus_dcr_write(uint32_t offset, uint32_t value) {
  uint32_t none;
  return bgl_system_call(TOROID_SYS_DCR_WRITE, BGL_TORUS_DCR_BASE + offset, value, 0, &none);
}

/// Starts the second core of the process, in coprocessor mode, at `entry` with `argument` in r3. kernel_abi.h lists the
/// errors; second_core.h has a more convenient function.
static inline int bgl_start_core(void (*entry)(uint32_t), void* stack_pointer, uint32_t argument) {
  uint32_t none;
  return bgl_system_call(TOROID_SYS_START_CORE, (uint32_t)(uintptr_t)entry, (uint32_t)(uintptr_t)stack_pointer,
                         argument, &none);
}
/// On the second core: makes the core idle and does not return. On the first core: returns EINVAL.
static inline int bgl_stop_core(void) {
  uint32_t none;
  return bgl_system_call(TOROID_SYS_STOP_CORE, 0, 0, 0, &none);
}
/// Writes back and invalidates the whole L1 data cache of the calling core.
static inline int bgl_flush_l1(void) {
  uint32_t none;
  return bgl_system_call(TOROID_SYS_FLUSH_L1, 0, 0, 0, &none);
}

/// Ends all processes of the job at once, this one with the given exit status.
static inline void bgl_end_job(uint32_t status) __attribute__((noreturn));
static inline void bgl_end_job(uint32_t status) {
  uint32_t none;
  bgl_system_call(TOROID_SYS_END_JOB, status, 0, 0, &none);
  __builtin_unreachable();
}

/// Reads the time base: core cycles since the start.
static inline uint64_t bgl_timebase(void) {
  uint32_t upper, lower, again;
  do {
    __asm__ volatile("mftbu %0\n\tmftb %1\n\tmftbu %2" : "=r"(upper), "=r"(lower), "=r"(again));
  } while (upper != again);
  return (uint64_t)upper << 32 | lower;
}

#endif  // TOROID_DRIVERS_BGL_KERNEL_H_
