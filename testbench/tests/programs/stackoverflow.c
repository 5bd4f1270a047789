// SPDX-License-Identifier: Apache-2.0
// Rank 0 uses up a stack: its own, by recursion or with the argument "array" by one large local variable, with
// "variable" by one whose length is known at run time only; with "second" that of the second core; with "interrupt"
// that of the interrupt handler.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "drivers/bgl/global_interrupt.h"
#include "drivers/bgl/interrupt.h"
#include "drivers/bgl/second_core.h"
#include "firmware/bgl/msglayer/msglayer.h"

enum { STACK = 64 << 10, CHANNEL = 1 };

static volatile unsigned depth_wanted = 0xFFFFFFFFu;

__attribute__((noinline)) unsigned recurse(unsigned depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  if (depth == depth_wanted) return (unsigned)frame[0];
  return recurse(depth + 1) + (unsigned)frame[0];
}

__attribute__((noinline)) unsigned large_array(unsigned value) {
  volatile unsigned array[10 << 18];
  array[value] = value;
  return array[value + 1];
}

__attribute__((noinline)) unsigned variable_array(unsigned length) {
  volatile unsigned array[length];
  array[length / 2] = length;
  return array[length / 3];
}

// The lower half of it is taken away again: nothing is mapped below.
static char* small_stack(void) {
  char* memory = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, STACK);
  return memory + STACK;
}

static void recurse_there(void* argument) {
  (void)argument;
  recurse(0);
}

static void on_interrupt(uint32_t groups) {
  recurse(groups);
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  bglml_init(&(bglml_options_t){.second_core = BGLML_SECOND_CORE_UNUSED});
  if (bglml_rank() != 0) return 0;
  if (strcmp(which, "array") == 0) {
    printf("%u\n", large_array(0));
  } else if (strcmp(which, "variable") == 0) {
    printf("%u\n", variable_array(10u << 18));
  } else if (strcmp(which, "second") == 0) {
    bgl_second_core_start(recurse_there, NULL, small_stack(), STACK);
    while (depth_wanted != 0) continue;
  } else if (strcmp(which, "interrupt") == 0) {
    bgl_interrupt_start(on_interrupt, TOROID_INTERRUPT_GLOBAL, small_stack(), STACK);
    bgl_gi_set_type(CHANNEL, BGL_GI_OR);
    bgl_gi_fire(CHANNEL);
    while (depth_wanted != 0) continue;
  } else {
    printf("%u\n", recurse(0));
  }
  return 0;
}
