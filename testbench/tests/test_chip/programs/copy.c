// SPDX-License-Identifier: Apache-2.0
//
// Copies through the copier. The first argument selects what; what goes wrong is printed, and the status then is 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/tests/test_chip/copier_regs.h"
#include "testbench/tests/test_chip/driver.h"

enum { MOST = 20000, WORDS = 1024 };

static uint8_t from[MOST], to[MOST];
static volatile uint32_t word[WORDS] __attribute__((aligned(4096)));
static unsigned failures;

static void expect(int good, const char* what) {
  if (good) return;
  failures += 1;
  printf("not true: %s\n", what);
}

static void fill(uint8_t* bytes, size_t count, uint32_t seed) {
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = (uint8_t)(seed >> 24);
  }
}

/// Bytes at all alignments, and none beside them.
static void lengths(void) {
  static const uint32_t bytes[] = {0, 1, 3, 4, 7, 8, 15, 16, 127, 128, 129, 1023, 1024, 1025, 4097, 12345};
  copier_start(4);
  fill(from, sizeof from, 1);
  for (unsigned i = 0; i < sizeof bytes / sizeof bytes[0]; ++i) {
    const unsigned source = i * 5 % 17, target = i * 3 % 19 + 1;
    memset(to, 0xEE, sizeof to);
    const struct copier_copy copy = {to + target, from + source, bytes[i], NULL, 0, 0};
    const uint32_t number = copier_put(&copy);
    expect(number == i, "copies are numbered from 0 on");
    copier_ring();
    copier_wait(number);
    expect(memcmp(to + target, from + source, bytes[i]) == 0, "the bytes arrive");
    expect(to[target - 1] == 0xEE && to[target + bytes[i]] == 0xEE, "and none beside them");
  }
  printf("%u copies\n", (unsigned)copier_count());
}

/// More copies than the ring has slots, each of what the one before has written.
static void chain(void) {
  enum { COPIES = 40, BYTES = 400 };
  copier_start(3);
  fill(to, BYTES, 7);
  uint32_t last = 0;
  for (unsigned i = 0; i < COPIES; ++i) {
    const struct copier_copy copy = {to + (i + 1) * BYTES, to + i * BYTES, BYTES, NULL, 0, 0};
    last = copier_put(&copy);
    copier_ring();
  }
  copier_wait(last);
  expect(memcmp(to, to + COPIES * BYTES, BYTES) == 0, "the last one has what the first had");
  printf("%u copies\n", (unsigned)copier_count());
}

/// Completion words in watched memory, polled.
static void completions(void) {
  expect(copier_watch(word, sizeof word) == 0, "pages are watched");
  copier_start(8);
  fill(from, sizeof from, 3);
  for (unsigned i = 0; i < 8; ++i) {
    const struct copier_copy copy = {to + i * 1000, from + i * 1000, 1000, &word[i], 0x01020300 + i, 0};
    copier_put(&copy);
  }
  copier_ring();
  for (unsigned i = 0; i < 8; ++i) {
    while (word[i] == 0) {
    }
    expect(word[i] == 0x01020300 + i, "the completion word has its value");
    expect(memcmp(to + i * 1000, from + i * 1000, 1000) == 0, "data comes before the completion word");
  }
  printf("%u copies\n", (unsigned)copier_count());
}

static volatile uint32_t interrupts;

static void handler(void) {
  interrupts += 1;
  copier_lower_interrupt();
}

static void interrupted(void) {
  static uint8_t stack[16384] __attribute__((aligned(16)));
  expect(copier_on_interrupt(handler, stack, sizeof stack) == 0, "there is an interrupt line");
  copier_start(2);
  fill(from, sizeof from, 5);
  for (unsigned i = 0; i < 5; ++i) {
    const struct copier_copy copy = {to, from + i, 500, NULL, 0, i % 2 == 0 ? COPIER_FLAG_INTERRUPT : 0};
    const uint32_t number = copier_put(&copy);
    copier_ring();
    copier_wait(number);
    while (interrupts != i / 2 + 1) {
    }
    expect(memcmp(to, from + i, 500) == 0, "the bytes arrive");
  }
  expect(copier_on_interrupt(NULL, stack, sizeof stack) == 0, "interrupts are refused again");
  printf("%u interrupts\n", (unsigned)interrupts);
}

/// What the device refuses.
static void wrong(const char* what) {
  copier_start(2);
  struct copier_copy copy = {to, from, 100, NULL, 0, 0};
  if (strcmp(what, "from") == 0) copy.from = (const void*)(uintptr_t)0xF0000000u;
  if (strcmp(what, "to") == 0) copy.to = (void*)(uintptr_t)0xF0000000u;
  if (strcmp(what, "completion") == 0) copy.completion = (volatile uint32_t*)(uintptr_t)0xF0000000u;
  if (strcmp(what, "doorbell") == 0) *(volatile uint32_t*)(uintptr_t)(COPIER_BASE + COPIER_DOORBELL) = 3;
  if (strcmp(what, "back") == 0) {
    copier_put(&copy);
    copier_ring();
    *(volatile uint32_t*)(uintptr_t)(COPIER_BASE + COPIER_DOORBELL) = 0;
  }
  if (strcmp(what, "count") == 0) *(volatile uint32_t*)(uintptr_t)(COPIER_BASE + COPIER_COUNT) = 3;
  if (strcmp(what, "bytes") == 0) *(volatile uint8_t*)(uintptr_t)(COPIER_BASE + COPIER_RING) = 3;
  const uint32_t number = copier_put(&copy);
  if (strcmp(what, "never") != 0) copier_ring();
  copier_wait(number);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "lengths") == 0) lengths();
  if (strcmp(what, "chain") == 0) chain();
  if (strcmp(what, "completions") == 0) completions();
  if (strcmp(what, "interrupts") == 0) interrupted();
  if (strcmp(what, "wrong") == 0) wrong(argv[2]);
  return failures == 0 ? 0 : 1;
}
