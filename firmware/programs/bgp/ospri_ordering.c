// SPDX-License-Identifier: Apache-2.0
// Latency of a get behind a small put to the same process, somewhere else in its memory: with strict order
// (A1D_ORDERING=strict) the put is flushed first, with partial order it is not.
//   ospri_ordering [--sizes 8,64,...] [--rounds 20]
//   ospri-ordering size=8 rounds=20 cycles=3400.00
#include <a1.h>
#include <stdio.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_SIZES = 32, MOST = 1 << 20, WARM_UP = 2 };

int main(int argc, char** argv) {
  unsigned sizes[MOST_SIZES];
  program_start("ospri_ordering", 2);
  const unsigned count =
      program_list(argc, argv, "--sizes", "8,16,32,64,128,256,512,1024,2048,4096,16384,65536", sizes, MOST_SIZES, MOST);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 20);
  char* const own = program_allocate(MOST + sizeof(double));
  const unsigned target = program_size() - 1;
  char* const there = program_segment(target);
  for (unsigned i = 0; i < count && program_rank() == 0; ++i) {
    unsigned long long cycles = 0;
    for (unsigned round = 0; round < WARM_UP + rounds; ++round) {
      A1_Put((int)target, own + MOST, there + MOST, sizeof(double));
      const unsigned long long start = A1_Time_cycles();
      A1_Get((int)target, there, own, (int)sizes[i]);
      if (round >= WARM_UP) cycles += A1_Time_cycles() - start;
    }
    printf("ospri-ordering size=%u rounds=%u cycles=%.2f\n", sizes[i], rounds, (double)cycles / rounds);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
