// SPDX-License-Identifier: Apache-2.0
// Latency and bandwidth of contiguous puts, gets and accumulates over their size, from rank 0 to the last rank.
//   ospri_latency [--sizes 8,64,...] [--rounds 20] [--window 16]
// local: a blocking call, one behind the other; of a get, the data are there. remote: a blocking call and a flush.
// window: cycles an operation where so many with handles are under way and are then waited for, without a flush.
// operation=dcmf-put: the same by DCMF_Put, without OSPRI; only where OSPRI needs no lock (A1D_ENABLE_CHT=0).
//   ospri-latency operation=put size=8 rounds=20 local=1377.50 remote=2800.00 window=900.25
#include <a1.h>
#include <dcmf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_SIZES = 32, MOST = 1 << 22, MOST_WINDOW = 64 };

typedef enum { PUT, GET, ADD, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get", "accumulate"};

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

static void window(void) {
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
}

/// Cycles an operation; the flushes between windows are not measured.
static double measure_windows(unsigned rounds) {
  unsigned long long cycles = 0;
  for (unsigned round = 0; round <= rounds; ++round) {
    const unsigned long long start = A1_Time_cycles();
    window();
    if (round > 0) cycles += A1_Time_cycles() - start;
    A1_Flush(test.target);
  }
  return (double)cycles / rounds / test.window;
}

static void measure(kind_t kind, unsigned size, unsigned rounds) {
  test.kind = kind;
  test.size = (int)(kind == ADD ? size / sizeof(double) * sizeof(double) : size);
  if (test.size == 0) return;
  const double local = program_measure(once, NULL, rounds);
  A1_Flush(test.target);
  const double remote = program_measure(once_and_flush, NULL, rounds);
  const double each = measure_windows(rounds);
  printf("ospri-latency operation=%s size=%d rounds=%u local=%.2f remote=%.2f window=%.2f\n", kNames[kind], test.size,
         rounds, local, remote, each);
}

static struct {
  bool possible;
  DCMF_Protocol_t put;
  DCMF_Memregion_t own, there;
} dcmf;

/// Each process leaves its region behind the data.
static void prepare_dcmf(void) {
  DCMF_Configure_t now;
  DCMF_Put_Configuration_t configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  size_t bytes;
  DCMF_Messager_configure(NULL, &now);
  dcmf.possible = now.thread_level == DCMF_THREAD_SINGLE;
  DCMF_Put_register(&dcmf.put, &configuration);
  DCMF_Memregion_create(&dcmf.own, &bytes, (size_t)-1, NULL, 0);
  memcpy(test.here + MOST, &dcmf.own, sizeof dcmf.own);
  A1_Barrier_group(A1_GROUP_WORLD);
  if (program_rank() == 0) A1_Get(test.target, test.there + MOST, &dcmf.there, sizeof dcmf.there);
}

static void dcmf_done(void* waiting, DCMF_Error_t* error) {
  (void)error;
  *(volatile bool*)waiting = false;
}

static void dcmf_put(bool remote) {
  DCMF_Request_t request;
  volatile bool waiting = true;
  const DCMF_Callback_t told = {dcmf_done, (void*)&waiting}, nobody = {NULL, NULL};
  DCMF_Put(&dcmf.put, &request, remote ? nobody : told, DCMF_SEQUENTIAL_CONSISTENCY, (size_t)test.target,
           (size_t)test.size, &dcmf.own, &dcmf.there, (size_t)test.here, (size_t)test.there, remote ? told : nobody);
  while (waiting) DCMF_Messager_advance();
}

static void dcmf_local(void* nothing) {
  (void)nothing;
  dcmf_put(false);
}

static void dcmf_remote(void* nothing) {
  (void)nothing;
  dcmf_put(true);
}

static void measure_dcmf(unsigned size, unsigned rounds) {
  if (!dcmf.possible) return;
  test.size = (int)size;
  const double local = program_measure(dcmf_local, NULL, rounds);
  const double remote = program_measure(dcmf_remote, NULL, rounds);
  printf("ospri-latency operation=dcmf-put size=%d rounds=%u local=%.2f remote=%.2f\n", test.size, rounds, local,
         remote);
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
  test.here = program_allocate(MOST + sizeof(DCMF_Memregion_t));
  test.target = (int)program_size() - 1;
  test.there = program_segment((unsigned)test.target);
  test.scaling = 1;
  prepare_dcmf();
  if (program_rank() == 0) {
    A1_Allocate_handle(&test.handle);
    for (unsigned i = 0; i < count; ++i) {
      check(sizes[i]);
      measure_dcmf(sizes[i], rounds);
      for (kind_t kind = PUT; kind < KINDS; ++kind) measure(kind, sizes[i], rounds);
    }
    A1_Release_handle(test.handle);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
