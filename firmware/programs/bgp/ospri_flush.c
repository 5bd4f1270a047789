// SPDX-License-Identifier: Apache-2.0
// What remote completion costs: rank 0 has sent something to each process, and flushes them all.
//   ospri_flush [--rounds 5] [--all 0]
// --all 1: all ranks do so at the same time, as a program's fences of all mostly come.
// after=get: nothing is to be done; after=put: a put of one byte with a confirmation for each process;
// after=accumulate: a message with a confirmation for each.
//   ospri-flush after=put ranks=8 rounds=5 cycles=5400.25
#include <a1.h>
#include <stdbool.h>
#include <stdio.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { WARM_UP = 1 };

typedef enum { GET, PUT, ADD, KINDS } kind_t;

static void touch(kind_t kind, char* own, unsigned target) {
  double one = 1;
  switch (kind) {
    case GET:
      A1_Get((int)target, program_segment(target), own, sizeof(double));
      break;
    case PUT:
      A1_Put((int)target, own, program_segment(target), sizeof(double));
      break;
    default:
      A1_PutAcc((int)target, own, program_segment(target), sizeof(double), A1_DOUBLE, &one);
  }
}

int main(int argc, char** argv) {
  static const char* const kNames[KINDS] = {"get", "put", "accumulate"};
  program_start("ospri_flush", 2);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 5);
  const bool all = program_number(argc, argv, "--all", 0, 1, 0) == 1;
  char* const own = program_allocate(sizeof(double));
  for (kind_t kind = GET; kind < KINDS && (all || program_rank() == 0); ++kind) {
    unsigned long long cycles = 0;
    for (unsigned round = 0; round < WARM_UP + rounds; ++round) {
      for (unsigned i = 1; i < program_size(); ++i) touch(kind, own, (program_rank() + i) % program_size());
      if (all) A1_Barrier_group(A1_GROUP_WORLD);
      const unsigned long long start = A1_Time_cycles();
      A1_Flush_group(A1_GROUP_WORLD);
      if (round >= WARM_UP) cycles += A1_Time_cycles() - start;
    }
    if (program_rank() != 0) continue;
    printf("ospri-flush after=%s ranks=%u rounds=%u cycles=%.2f\n", kNames[kind], program_size(), rounds,
           (double)cycles / rounds);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
