// SPDX-License-Identifier: Apache-2.0
//
// A word goes round the ring, and every node adds one. Node 0 prints the last. `ring ROUNDS [quiet]`: with "quiet",
// node 0 sends nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "testbench/tests/toy_machine/doorbell_regs.h"

static volatile uint32_t* reg(uint32_t offset) {
  return (volatile uint32_t*)(uintptr_t)(TOY_BASE + offset);
}

static uint32_t take(void) {
  while (*reg(TOY_COUNT) == 0) {
  }
  return *reg(TOY_WORD);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  const uint32_t node = *reg(TOY_NODE);
  if (argc > 2 && node == 0) (void)take();
  uint32_t word = 0;
  for (int round = 0; round < rounds; ++round) {
    if (node == 0) *reg(TOY_RING) = (uint32_t)round * *reg(TOY_NODES) + 1;
    word = take();
    if (node != 0) *reg(TOY_RING) = word + 1;
  }
  if (node == 0) printf("%u\n", (unsigned)word);
  return 0;
}
