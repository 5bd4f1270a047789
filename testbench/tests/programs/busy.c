// SPDX-License-Identifier: Apache-2.0
// Integer work without system calls, for the instruction rate of the emulated cores.
//   busy [millions of turns]: default 10; a turn is about 10 instructions
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const uint32_t turns = (argc > 1 ? (uint32_t)atoi(argv[1]) : 10) * 1000000u;
  uint32_t table[256];
  for (uint32_t i = 0; i < 256; ++i) table[i] = i * 2654435761u;
  uint32_t value = 1;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    value = (value << 1 | value >> 31) ^ table[(value + turn) & 255u];
    table[turn & 255u] += value;
  }
  printf("busy turns=%u value=%08x\n", turns, value);
  return 0;
}
