// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates in a process's own memory over their size: by the processor, or by the DMA where
// A1_NETWORK_BYPASS is 0 or the size is above A1_NETWORK_BYPASS_UPPER_LIMIT_1D. Each is complete where it goes.
//   ospri_local [--sizes 8,64,...] [--rounds 10]
//   ospri-local operation=put size=8 rounds=10 cycles=120.50
#include <a1.h>
#include <stdio.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_SIZES = 32, MOST = 1 << 20 };

typedef enum { PUT, GET, ADD, KINDS } kind_t;

static struct {
  kind_t kind;
  int me, size;
  char *from, *to;
} test;

static void once(void* nothing) {
  (void)nothing;
  double one = 1;
  switch (test.kind) {
    case PUT:
      A1_Put(test.me, test.from, test.to, test.size);
      break;
    case GET:
      A1_Get(test.me, test.from, test.to, test.size);
      break;
    default:
      A1_PutAcc(test.me, test.from, test.to, test.size, A1_DOUBLE, &one);
  }
  A1_Flush(test.me);
}

int main(int argc, char** argv) {
  static const char* const kNames[KINDS] = {"put", "get", "accumulate"};
  unsigned sizes[MOST_SIZES];
  program_start("ospri_local", 1);
  const unsigned count =
      program_list(argc, argv, "--sizes", "8,64,512,4096,16384,32768,65536,131072,262144", sizes, MOST_SIZES, MOST);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 10);
  test.from = program_allocate(2 * MOST);
  test.to = test.from + MOST;
  test.me = (int)program_rank();
  for (unsigned i = 0; i < count && test.me == 0; ++i) {
    test.size = (int)sizes[i];
    for (test.kind = PUT; test.kind < KINDS; ++test.kind) {
      if (test.kind == ADD && sizes[i] % sizeof(double) != 0) continue;
      program_fill(test.from, sizes[i], (unsigned)test.kind);
      const double cycles = program_measure(once, NULL, rounds);
      if (test.kind != ADD && program_differs(test.to, sizes[i], (unsigned)test.kind) != sizes[i]) {
        program_fail("%s of %u bytes: wrong contents", kNames[test.kind], sizes[i]);
      }
      for (unsigned byte = 0; byte < sizes[i]; ++byte) test.to[byte] = 0;
      printf("ospri-local operation=%s size=%u rounds=%u cycles=%.2f\n", kNames[test.kind], sizes[i], rounds, cycles);
    }
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
