// SPDX-License-Identifier: Apache-2.0
// Latency of contiguous puts, gets and accumulates of ARMCI over their size, from rank 0 to the last rank, in cycles of
// the core an operation.
//   armci_latency [largest size [rounds]]: 65536 and 20
// local: the blocking call; of a get, the data are there. remote: the call and a fence. The other ranks are
// in a barrier first (target=waits); then they compute, with a call of ARMCI every 100,000 cycles, and are served
// meanwhile only if the progress mode sees to it (target=computes).
//   armci_latency target=waits operation=put size=8 rounds=20 local=1377.5 remote=2800.0
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/cycles.h"

enum { LEAST = 8, MOST = 1 << 22, FIRST = 4 };  // the first rounds are not measured

typedef enum { PUT, GET, ACC, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get", "acc"};

static int target;
static char *here, *there;

static void once(kind_t kind, int bytes) {
  double one = 1;
  if (kind == PUT) ARMCI_Put(here, there, bytes, target);
  if (kind == GET) ARMCI_Get(there, here, bytes, target);
  if (kind == ACC) ARMCI_Acc(ARMCI_ACC_DBL, &one, here, there, bytes, target);
}

static void measure(const char* state, kind_t kind, int bytes, int rounds) {
  unsigned long long local = 0, remote = 0;
  for (int round = -FIRST; round < rounds; ++round) {
    const unsigned long long begin = cycles();
    once(kind, bytes);
    const unsigned long long middle = cycles();
    ARMCI_Fence(target);
    if (round < 0) continue;
    local += middle - begin;
    remote += cycles() - begin;
  }
  printf("armci_latency target=%s operation=%s size=%d rounds=%d local=%.1f remote=%.1f\n", state, kNames[kind], bytes,
         rounds, (double)local / rounds, (double)remote / rounds);
}

static void measure_all(const char* state, int most, int rounds) {
  for (kind_t kind = PUT; kind < KINDS; ++kind) {
    for (int bytes = LEAST; bytes <= most; bytes *= 2) measure(state, kind, bytes, rounds);
  }
}

/// Until rank 0 says by a put that it has measured.
static void compute(volatile long* word) {
  enum { CYCLES = 100000 };
  volatile double x = 1;
  while (*word == 0) {
    const unsigned long long end = cycles() + CYCLES;
    while (cycles() < end) x = x * 0.5 + 1;
    armci_hdl_t nothing;
    ARMCI_INIT_HANDLE(&nothing);
    ARMCI_Test(&nothing);
  }
}

int main(int argc, char** argv) {
  ARMCI_Init_args(&argc, &argv);
  const int rank = armci_msg_me(), size = armci_msg_nproc();
  const int most = argc > 1 ? atoi(argv[1]) : 65536, rounds = argc > 2 ? atoi(argv[2]) : 20;
  if (most < LEAST || most > MOST || rounds < 1 || size < 2) {
    ARMCI_Error((char*)"armci_latency [largest size [rounds]], of 8 to 4194304 and 1 or more, on 2 ranks or more", 2);
  }
  void** const buffers = calloc((size_t)size, sizeof(void*));
  void** const words = calloc((size_t)size, sizeof(void*));
  if (buffers == NULL || words == NULL || ARMCI_Malloc(buffers, most) != 0 || ARMCI_Malloc(words, 64) != 0) {
    ARMCI_Error((char*)"no memory", 1);
  }
  target = size - 1;
  here = buffers[rank];
  there = buffers[target];
  for (int i = 0; i < most / (int)sizeof(double); ++i) ((double*)buffers[rank])[i] = 1;
  *(volatile long*)words[rank] = 0;
  ARMCI_Barrier();
  if (rank == 0) measure_all("waits", most, rounds);
  ARMCI_Barrier();
  if (rank == 0) {
    measure_all("computes", most, rounds);
    for (int to = 1; to < size; ++to) ARMCI_PutValueLong(1, words[to], to);
  } else {
    compute(words[rank]);
  }
  ARMCI_Barrier();
  ARMCI_Free(buffers[rank]);
  ARMCI_Free(words[rank]);
  ARMCI_Finalize();
  return 0;
}
