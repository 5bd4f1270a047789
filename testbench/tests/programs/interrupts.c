// SPDX-License-Identifier: Apache-2.0
// Interrupts on one node: what the calls refuse; that a computation does not notice a storm of them, though the handler
// leaves nothing in the registers that it may change; and that none comes when none is wanted. The handler fires the
// next interrupt itself: a channel of the global interrupts for OR, which comes back from the root. That should take
// some thousand cycles (global_interrupts.wire_cycles=300), or nothing but the handler ever runs.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/global_interrupt.h"
#include "drivers/bgl/interrupt.h"
#include "drivers/bgl/lockbox.h"

enum { CHANNEL = 1, STORM = 500, STACK = 4096 };

static volatile uint32_t interrupts, limit, strange;
static uint32_t failures;

#define EXPECT(condition)                                      \
  do {                                                         \
    if (!(condition)) {                                        \
      printf("line %d: not true: %s\n", __LINE__, #condition); \
      failures += 1;                                           \
    }                                                          \
  } while (0)

static void handler(uint32_t groups) {
  if (groups != TOROID_INTERRUPT_GLOBAL || !bgl_gi_interrupted(bgl_gi_status(), CHANNEL)) strange += 1;
  bgl_gi_clear(CHANNEL);
  interrupts += 1;
  if (interrupts < limit) bgl_gi_fire(CHANNEL);
  const double zero = 0;
  __asm__ volatile(
      ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13\n\tlfd \\n,%0\n\t.endr\n\t"
      ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19\n\tvspltisb \\n,5\n\t.endr\n\t"
      "li 0,-1\n\tmtctr 0\n\tmtxer 0\n\tmtcrf 255,0\n\tmtfsfi 7,1\n\t"
      ".irp n,4,5,6,7,8,9,10,11,12\n\tli \\n,-1\n\t.endr"
      :
      : "m"(zero)
      : "r0", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "ctr", "xer", "cr0", "cr1", "cr5", "cr6", "cr7",
        "memory");
}

/// Integers, doubles and vectors for some 10^4 cycles.
static __attribute__((noinline)) uint32_t compute(void) {
  double sum = 1, factor = 1.0000001;
  __vector unsigned int lanes = {1, 2, 3, 4};
  const __vector unsigned int step = {0x01000193, 5, 7, 0x10001};
  static volatile uint32_t seed = 2166136261u;  // volatile: computed anew each time
  uint32_t hash = seed;
  uint64_t wide = 1;
  for (uint32_t i = 0; i < 2000; ++i) {
    hash = (hash ^ i) * 16777619u;
    wide += hash;  // carries between two registers
    sum = sum * factor + (double)(hash >> 16);
    lanes = lanes + step;
  }
  uint32_t words[4];
  memcpy(words, &lanes, sizeof words);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  return hash ^ (uint32_t)wide ^ (uint32_t)(wide >> 32) ^ (uint32_t)bits ^ (uint32_t)(bits >> 32) ^ words[0] ^
         words[1] ^ words[2] ^ words[3];
}

/// Whether CR, XER and CTR come through a loop of many blocks.
static __attribute__((noinline)) int special_registers_stay(void) {
  const uint32_t carry = 0x20000000, conditions = 0x12481248, turns = 5000;
  uint32_t xer, cr;
  __asm__ volatile(
      "mtxer %2\n\tmtctr %4\n\tmtcrf 255,%3\n"
      "1:\tbdnz 1b\n\t"
      "mfcr %1\n\tmfxer %0"
      : "=&r"(xer), "=&r"(cr)
      : "r"(carry), "r"(conditions), "r"(turns)
      : "ctr", "xer", "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7");
  return xer == carry && cr == conditions;
}

static void wait_for(uint32_t cycles) {
  const uint64_t start = bgl_timebase();
  while (bgl_timebase() - start < cycles) {
  }
}

int main(void) {
  static _Alignas(16) uint8_t stack[STACK];
  static uint32_t data;
  const uint32_t top = (uint32_t)(uintptr_t)stack + STACK - 16;
  const uint32_t code = (uint32_t)(uintptr_t)handler;
  uint32_t none;
  EXPECT(bgl_system_call(TOROID_SYS_INTERRUPT_RETURN, 0, 0, 0, &none) == EINVAL);
  EXPECT(bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, (uint32_t)(uintptr_t)&data, top, 4, &none) == EFAULT);
  EXPECT(bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, code + 2, top, 4, &none) == EFAULT);
  EXPECT(bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, code, top + 4, 4, &none) == EFAULT);
  EXPECT(bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, code, 16, 4, &none) == EFAULT);
  EXPECT(bgl_system_call(TOROID_SYS_SET_INTERRUPT_HANDLER, code, top, 8, &none) == EINVAL);
  EXPECT(bgl_interrupt_start(handler, TOROID_INTERRUPT_GLOBAL, stack + 8, STACK - 16) == EINVAL);

  const uint32_t expected = compute();
  EXPECT(special_registers_stay());
  bgl_gi_set_type(CHANNEL, BGL_GI_OR);
  // None without a handler, and one that waits comes when there is one.
  bgl_gi_fire(CHANNEL);
  wait_for(10000);
  EXPECT(interrupts == 0);
  limit = 1;
  EXPECT(bgl_interrupt_start(handler, TOROID_INTERRUPT_TORUS | TOROID_INTERRUPT_TREE, stack, STACK) == 0);
  wait_for(10000);
  EXPECT(interrupts == 0);
  EXPECT(bgl_interrupt_start(handler, TOROID_INTERRUPT_GLOBAL, stack, STACK) == 0);
  wait_for(10000);
  EXPECT(interrupts == 1);

  interrupts = 0;
  limit = STORM;
  bgl_gi_fire(CHANNEL);
  const uint64_t start = bgl_timebase();
  uint32_t computations = 0;
  while (interrupts < STORM) {
    EXPECT(compute() == expected);
    EXPECT(special_registers_stay());
    computations += 1;
  }
  const uint64_t cycles = bgl_timebase() - start;
  EXPECT(computations > 2);
  EXPECT(cycles > STORM * 1000u);

  // Polls that an interrupt alone ends: the core is parked. First of the device that interrupts, then of another.
  limit = 1;
  interrupts = 0;
  bgl_gi_fire(CHANNEL);
  while (interrupts == 0) (void)bgl_gi_status();
  interrupts = 0;
  wait_for(10000);
  bgl_gi_fire(CHANNEL);
  while (interrupts == 0) (void)bgl_lockbox_held(0);
  EXPECT(bgl_interrupt_stop() == 0);
  bgl_gi_fire(CHANNEL);
  wait_for(10000);
  EXPECT(interrupts == 1);
  EXPECT(strange == 0);
  printf("interrupts failures=%u cycles=%u\n", failures, (uint32_t)cycles);
  return failures == 0 ? 0 : 1;
}
