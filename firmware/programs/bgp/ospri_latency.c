// SPDX-License-Identifier: Apache-2.0
// Latency and bandwidth of contiguous puts, gets and accumulates over their size, from rank 0 to the last rank.
//   ospri_latency [--sizes 8,64,...] [--rounds 20] [--window 16]
// local: a blocking call, one behind the other; of a get, the data are there. remote: a blocking call and a flush.
// window: cycles an operation where so many with handles are under way and are then waited for and flushed.
//   ospri-latency operation=put size=8 rounds=20 local=1377.50 remote=2800.00 window=900.25
#include <a1.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_SIZES = 32, MOST = 1 << 22, MOST_WINDOW = 64 };

typedef enum { PUT, GET, ADD, KINDS } kind_t;

static struct {
  kind_t kind;
  int target, size;
  unsigned window;
  char *here, *there;
  double scaling;
  A1_handle_t handle;
} test;

static void once(void* nothing) {
  (void)nothing;
  switch (test.kind) {
    case PUT:
      A1_Put(test.target, test.here, test.there, test.size);
      break;
    case GET:
      A1_Get(test.target, test.there, test.here, test.size);
      break;
    default:
      A1_PutAcc(test.target, test.here, test.there, test.size, A1_DOUBLE, &test.scaling);
  }
}

static void once_and_flush(void* nothing) {
  once(nothing);
  A1_Flush(test.target);
}

static void window(void* nothing) {
  (void)nothing;
  for (unsigned i = 0; i < test.window; ++i) {
    switch (test.kind) {
      case PUT:
        A1_NbPut(test.target, test.here, test.there, test.size, test.handle);
        break;
      case GET:
        A1_NbGet(test.target, test.there, test.here, test.size, test.handle);
        break;
      default:
        A1_NbPutAcc(test.target, test.here, test.there, test.size, A1_DOUBLE, &test.scaling, test.handle);
    }
  }
  A1_Wait_handle(test.handle);
  A1_Flush(test.target);
}

static void measure(kind_t kind, unsigned size, unsigned rounds) {
  static const char* const kNames[KINDS] = {"put", "get", "accumulate"};
  test.kind = kind;
  test.size = (int)(kind == ADD ? size / sizeof(double) * sizeof(double) : size);
  if (test.size == 0) return;
  const double local = program_measure(once, NULL, rounds);
  A1_Flush(test.target);
  const double remote = program_measure(once_and_flush, NULL, rounds);
  const double each = program_measure(window, NULL, rounds) / test.window;
  printf("ospri-latency operation=%s size=%d rounds=%u local=%.2f remote=%.2f window=%.2f\n", kNames[kind], test.size,
         rounds, local, remote, each);
}

/// A put, fetched back.
static void check(unsigned size) {
  program_fill(test.here, size, 5);
  A1_Put(test.target, test.here, test.there, (int)size);
  A1_Flush(test.target);
  program_fill(test.here, size, 9);
  A1_Get(test.target, test.there, test.here, (int)size);
  const unsigned wrong = program_differs(test.here, size, 5);
  if (wrong != size) program_fail("byte %u of %u came back wrong", wrong, size);
}

int main(int argc, char** argv) {
  unsigned sizes[MOST_SIZES];
  program_start("ospri_latency", 2);
  const unsigned count = program_list(argc, argv, "--sizes", "8,64,256,1024,4096,16384,65536", sizes, MOST_SIZES, MOST);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 20);
  test.window = program_number(argc, argv, "--window", 1, MOST_WINDOW, 16);
  test.here = program_allocate(MOST);
  test.target = (int)program_size() - 1;
  test.there = program_segment((unsigned)test.target);
  test.scaling = 1;
  A1_Barrier_group(A1_GROUP_WORLD);
  if (program_rank() == 0) {
    A1_Allocate_handle(&test.handle);
    for (unsigned i = 0; i < count; ++i) {
      check(sizes[i]);
      for (kind_t kind = PUT; kind < KINDS; ++kind) measure(kind, sizes[i], rounds);
    }
    A1_Release_handle(test.handle);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
