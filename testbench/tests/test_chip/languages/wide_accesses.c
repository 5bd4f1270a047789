// SPDX-License-Identifier: Apache-2.0
//
// Accesses of eight bytes to a device that takes them whole or not at all. `wide_accesses misaligned` makes one that
// hardware would not make whole either.
#include <stdint.h>
#include <stdio.h>

#include "testbench/tests/test_chip/copier_regs.h"

#define NOTE ((volatile uint64_t*)(uintptr_t)(COPIER_BASE + COPIER_NOTE))

static unsigned failures;

static void expect(int good, const char* what) {
  if (good) return;
  failures += 1;
  printf("not true: %s\n", what);
}

int main(int argc, char** argv) {
  (void)argv;
  static const uint64_t first = 0x0123456789ABCDEFu, second = 0xFEDCBA9876543210u;
  volatile uint64_t* const note = NOTE;
  if (argc > 1) {
    __asm__ volatile("std %0,-4(%1)" : : "r"(first), "b"(note) : "memory");
    return 0;
  }
  uint64_t loaded = 0, address = (uintptr_t)note - 8;
  double number = 0;
  *note = first;
  expect(*note == first, "std and ld");
  __asm__ volatile("stdx %1,%2,%3; ldx %0,%2,%3"
                   : "=&r"(loaded)
                   : "r"(second), "b"(note - 4), "r"((uint64_t)32)
                   : "memory");
  expect(loaded == second, "stdx and ldx");
  __asm__ volatile("stdu %1,8(%0)" : "+b"(address) : "r"(first) : "memory");
  expect(address == (uintptr_t)note && *note == first, "stdu");
  address -= 8;
  __asm__ volatile("ldu %1,8(%0)" : "+b"(address), "=&r"(loaded) : : "memory");
  expect(address == (uintptr_t)note && loaded == first, "ldu");
  __asm__ volatile("lfd %0,0(%1)" : "=f"(number) : "b"(note) : "memory");
  *note = 0;
  __asm__ volatile("stfd %0,0(%1)" : : "f"(number), "b"(note) : "memory");
  expect(*note == first, "lfd and stfd");
  __asm__ volatile("stdbrx %1,0,%2; ldbrx %0,0,%2" : "=&r"(loaded) : "r"(second), "r"(note) : "memory");
  expect(loaded == second && *note == __builtin_bswap64(second), "stdbrx and ldbrx");
  printf("%u failures\n", failures);
  return failures != 0;
}
