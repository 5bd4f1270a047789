// SPDX-License-Identifier: Apache-2.0
// The second core watches a status word of the tree while the first one, which runs ahead, writes and reads packets:
// prints when, by its own clock, it has seen what.
#include <stdio.h>

#include "drivers/bgl/cache.h"
#include "drivers/bgl/kernel.h"
#include "drivers/bgl/second_core.h"
#include "drivers/bgl/tree.h"

enum { LINE = 32, SIGHTS = 4, VC = 0 };  // the other one is the kernel's, for I/O

static uint64_t seen[SIGHTS] __attribute__((aligned(LINE)));
static uint8_t stack[4096] __attribute__((aligned(LINE)));

/// Polls until the payload FIFOs hold `injection` and `reception` quads.
static uint64_t watch_for(uint32_t injection, uint32_t reception) {
  const uint32_t mask = TREE_STATUS_INJECTION_QUADS_MASK | TREE_STATUS_RECEPTION_QUADS_MASK;
  const uint32_t wanted = injection << TREE_STATUS_INJECTION_QUADS_SHIFT | reception
                                                                               << TREE_STATUS_RECEPTION_QUADS_SHIFT;
  while ((bgl_tree_status(VC) & mask) != wanted) {
  }
  return bgl_timebase();
}

static void watch(void* unused) {
  (void)unused;
  seen[0] = watch_for(5, 0);
  seen[1] = watch_for(0, 16);
  seen[2] = watch_for(0, 9);
  seen[3] = watch_for(0, 0);
}

static void pass(unsigned cycles) {
  const uint64_t end = bgl_timebase() + cycles;
  while (bgl_timebase() < end) {
  }
}

int main(void) {
  _Alignas(16) static uint8_t quad[TREE_QUAD_BYTES];
  const uintptr_t in = bgl_tree_register(VC, TREE_PAYLOAD_INJECTION_OFFSET);
  const uintptr_t out = bgl_tree_register(VC, TREE_PAYLOAD_RECEPTION_OFFSET);
  if (bgl_second_core_start(watch, NULL, stack, sizeof stack) != 0) return 1;
  pass(3000);
  for (unsigned i = 0; i < 5; ++i) bgl_access_write(in, bgl_quad_load(quad));
  pass(5000);
  for (unsigned i = 5; i < 16; ++i) bgl_access_write(in, bgl_quad_load(quad));
  bgl_access_write_word(bgl_tree_register(VC, TREE_HEADER_INJECTION_OFFSET),
                        tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, 2, 0));
  pass(9000);
  for (unsigned i = 0; i < 7; ++i) (void)bgl_access_read(out);
  pass(4000);
  for (unsigned i = 7; i < 16; ++i) (void)bgl_access_read(out);
  (void)bgl_access_read_word(bgl_tree_register(VC, TREE_HEADER_RECEPTION_OFFSET));  // nothing is left in the tree
  pass(20000);
  bgl_access_flush_cache();
  for (unsigned i = 0; i < SIGHTS; ++i) printf("seen %u at %llu\n", i, (unsigned long long)seen[i]);
  return 0;
}
