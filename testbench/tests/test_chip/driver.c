// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/test_chip/driver.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hw/kernel/kernel_abi.h"
#include "testbench/tests/test_chip/copier_regs.h"

/// As the device reads it; the compiler has the device's byte order.
struct descriptor {
  uint64_t source, destination, completion;
  uint32_t length, flags, value, unused;
};
_Static_assert(sizeof(struct descriptor) == COPIER_DESCRIPTOR_BYTES, "copier_regs.h");
_Static_assert(offsetof(struct descriptor, length) == COPIER_LENGTH, "copier_regs.h");

static struct descriptor ring[COPIER_MOST_SLOTS] __attribute__((aligned(128)));
static uint32_t slots, put;
static void (*handler_to_call)(void);

extern long syscall(long number, ...);

static volatile uint32_t* reg(uint32_t offset) {
  return (volatile uint32_t*)(uintptr_t)(COPIER_BASE + offset);
}

/// Stores before it are made before those behind it: what the doorbell tells of is in memory.
static void store_barrier(void) {
  __sync_synchronize();
}

/// The only process of its node has the memory from physical address 0 on; its own addresses begin with the program.
static uint64_t physical(const volatile void* address) {
  extern const char __executable_start[];
  return (uintptr_t)address - ((uintptr_t)__executable_start & ~(uintptr_t)0xFFFFF);
}

int copier_start(unsigned count) {
  if (count == 0 || count > COPIER_MOST_SLOTS) return EINVAL;
  slots = count;
  put = 0;
  *reg(COPIER_RING) = (uint32_t)physical(ring);
  *reg(COPIER_SLOTS) = slots;
  return 0;
}

uint32_t copier_put(const struct copier_copy* copy) {
  while (put - copier_count() == slots) {
  }
  volatile struct descriptor* const to = &ring[put % slots];
  to->source = physical(copy->from);
  to->destination = physical(copy->to);
  to->completion = copy->completion == NULL ? 0 : physical(copy->completion);
  to->length = copy->bytes;
  to->flags = copy->flags;
  to->value = copy->value;
  return put++;
}

void copier_ring(void) {
  store_barrier();
  *reg(COPIER_DOORBELL) = put;
}

uint32_t copier_count(void) {
  return *reg(COPIER_COUNT);
}

void copier_wait(uint32_t number) {
  while ((int32_t)(copier_count() - number) <= 0) {
  }
}

int copier_watch(volatile void* pages, size_t bytes) {
  return syscall(TOROID_SYS_WATCH_MEMORY, pages, bytes) == 0 ? 0 : errno;
}

/// The kernel calls this on the stack that it was given, with nowhere to return to.
static void enter_handler(void) {
  handler_to_call();
  syscall(TOROID_SYS_INTERRUPT_RETURN);
  __builtin_unreachable();
}

int copier_on_interrupt(void (*handler)(void), void* stack, size_t bytes) {
  const uintptr_t top = ((uintptr_t)stack + bytes - 64) & ~(uintptr_t)15;
  handler_to_call = handler;
  const long failed = syscall(TOROID_SYS_SET_INTERRUPT_HANDLER, enter_handler, top,
                              handler == NULL ? 0ul : (unsigned long)COPIER_INTERRUPT_GROUP);
  return failed == 0 ? 0 : errno;
}

void copier_lower_interrupt(void) {
  *reg(COPIER_INTERRUPT) = 0;
}
