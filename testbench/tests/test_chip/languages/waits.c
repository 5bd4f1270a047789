// SPDX-License-Identifier: Apache-2.0
//
// `wait`, which sleeps until an interrupt comes: the copier's, at the end of a copy that takes long.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "testbench/tests/test_chip/copier_regs.h"
#include "testbench/tests/test_chip/driver.h"

enum { BYTES = 40000, LONG = 5000, ROUNDS = 3 };

#define WAIT __asm__ volatile(".long 0x7c00007c" : : : "memory")
#define WAIT_FOR_LOSS __asm__ volatile(".long 0x7c20007c" : : : "memory")

static char from[BYTES], to[BYTES];
static volatile uint32_t interrupts, word __attribute__((aligned(256))), ready, stored;
static char stack[16384] __attribute__((aligned(16)));

static uint64_t now(void) {
  return __builtin_ppc_get_timebase();
}

static void handler(void) {
  interrupts += 1;
  copier_lower_interrupt();
}

static void copy_for_long(void) {
  (void)copier_put(&(struct copier_copy){to, from, BYTES, NULL, 0, COPIER_FLAG_INTERRUPT});
  copier_ring();
}

static void tell(const char* what, uint64_t begin) {
  printf("%s: %s, %u interrupts\n", what, now() - begin > LONG ? "long" : "not", (unsigned)interrupts);
}

static void reserve(void) {
  uint32_t value = 0;
  __asm__ volatile("lwarx %0,0,%1" : "=r"(value) : "r"(&word) : "memory");
}

static void* store_to_the_reserved(void* unused) {
  while (!ready) {
  }
  for (volatile uint32_t turns = 100; turns != 0; --turns) {
  }
  word += 1;
  stored = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  if (copier_start(4) != 0 || pthread_create(&other, NULL, store_to_the_reserved, NULL) != 0) return 1;

  copy_for_long();
  uint64_t begin = now();
  WAIT;
  tell("not accepted", begin);
  copier_wait(0);
  copier_lower_interrupt();

  if (copier_on_interrupt(handler, stack, sizeof stack) != 0) return 1;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    copy_for_long();
    begin = now();
    WAIT;
    tell("accepted", begin);
  }

  copy_for_long();
  begin = now();
  reserve();
  ready = 1;
  WAIT;
  tell(stored ? "others have stored" : "nobody has stored", begin);

  copy_for_long();
  begin = now();
  reserve();
  WAIT_FOR_LOSS;
  tell("for a loss", begin);
  (void)pthread_join(other, NULL);
  return 0;
}
