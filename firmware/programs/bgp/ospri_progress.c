// SPDX-License-Identifier: Apache-2.0
// Who makes progress: rank 0 accumulates into the memory of the last rank, which computes meanwhile and never calls
// OSPRI unless it is told to (--target waits). By the environment the target has a helper thread, interrupts, or
// neither, in which case only a target that waits ever adds.
//   ospri_progress [--sizes 8,1024,...] [--rounds 10] [--window 8] [--compute 200000] [--target computes|waits]
// cycles: an accumulate and a flush. window: cycles an accumulate where so many with handles are under way and are then
// waited for, without a flush. work: what the target's computation took, in cycles.
//   ospri-progress target=computes size=8 rounds=10 cycles=5000.00 window=1500.00
//   ospri-progress target=computes work=2100000
#include <a1.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_SIZES = 32, MOST = 1 << 21, MOST_WINDOW = 1000 };

static struct {
  int target, size;
  unsigned window;
  A1_handle_t handle;
  char *here, *there;
} test;

static void add(void* nothing) {
  (void)nothing;
  double one = 1;
  A1_PutAcc(test.target, test.here, test.there, test.size, A1_DOUBLE, &one);
  A1_Flush(test.target);
}

/// Cycles an accumulate; the flushes between windows are not measured.
static double measure_windows(unsigned rounds) {
  unsigned long long cycles = 0;
  double one = 1;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned long long start = A1_Time_cycles();
    for (unsigned i = 0; i < test.window; ++i) {
      A1_NbPutAcc(test.target, test.here, test.there, test.size, A1_DOUBLE, &one, test.handle);
    }
    A1_Wait_handle(test.handle);
    cycles += A1_Time_cycles() - start;
    A1_Flush(test.target);
  }
  return (double)cycles / rounds / test.window;
}

/// A computation that fits into a cache.
static unsigned long long compute(unsigned turns) {
  static volatile double values[512];
  const unsigned long long start = A1_Time_cycles();
  for (unsigned turn = 0; turn < turns; ++turn) values[turn % 512] = values[turn % 512] * 0.5 + 1;
  return A1_Time_cycles() - start;
}

int main(int argc, char** argv) {
  unsigned sizes[MOST_SIZES];
  bool waits = false;
  for (int i = 1; i + 1 < argc; ++i) waits = waits || (strcmp(argv[i], "--target") == 0 && argv[i + 1][0] == 'w');
  program_start("ospri_progress", 2);
  const unsigned count = program_list(argc, argv, "--sizes", "8,64,1024,16384,131072", sizes, MOST_SIZES, MOST);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 10);
  test.window = program_number(argc, argv, "--window", 1, MOST_WINDOW, 8);
  const unsigned turns = program_number(argc, argv, "--compute", 1, 1u << 30, 200000);
  const char* const name = waits ? "waits" : "computes";
  test.here = program_allocate(MOST);
  test.target = (int)program_size() - 1;
  test.there = program_segment((unsigned)test.target);
  A1_Barrier_group(A1_GROUP_WORLD);
  if (program_rank() == 0) {
    A1_Allocate_handle(&test.handle);
    for (unsigned i = 0; i < count; ++i) {
      test.size = (int)(sizes[i] / sizeof(double) * sizeof(double));
      if (test.size == 0) continue;
      const double cycles = program_measure(add, NULL, rounds), each = measure_windows(rounds);
      printf("ospri-progress target=%s size=%d rounds=%u cycles=%.2f window=%.2f\n", name, test.size, rounds, cycles,
             each);
    }
    A1_Release_handle(test.handle);
  } else if ((int)program_rank() == test.target && !waits) {
    printf("ospri-progress target=%s work=%llu\n", name, compute(turns));
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
