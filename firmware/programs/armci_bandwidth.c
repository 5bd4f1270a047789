// SPDX-License-Identifier: Apache-2.0
// Contiguous puts and gets of ARMCI over their size, one at a time or many under way, from rank 0 to rank 1, in cycles
// of the core.
//   armci_bandwidth [window [rounds [largest size]]]: 16, 2 and 1048576
// A round begins as many operations with handles as the window says, and waits for all of them: of puts, until their
// memory may be used again. With a window of 1 they are the blocking calls. window: cycles for each operation.
//   armci_bandwidth operation=get size=4096 rounds=2 window=4400.0
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/cycles.h"

enum { LEAST = 16, MOST = 1 << 22, MOST_WINDOW = 64, TARGET = 1 };

typedef enum { PUT, GET, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get"};

static char *here, *there;

static void round_of(kind_t kind, int bytes, int window) {
  if (window == 1) {
    if (kind == PUT) ARMCI_Put(here, there, bytes, TARGET);
    if (kind == GET) ARMCI_Get(there, here, bytes, TARGET);
    return;
  }
  armci_hdl_t handles[MOST_WINDOW];
  for (int i = 0; i < window; ++i) {
    ARMCI_INIT_HANDLE(&handles[i]);
    if (kind == PUT) ARMCI_NbPut(here, there, bytes, TARGET, &handles[i]);
    if (kind == GET) ARMCI_NbGet(there, here, bytes, TARGET, &handles[i]);
  }
  for (int i = 0; i < window; ++i) ARMCI_Wait(&handles[i]);
}

static void measure(kind_t kind, int bytes, int window, int rounds) {
  round_of(kind, bytes, window);  // not measured
  ARMCI_Fence(TARGET);
  const unsigned long long begin = cycles();
  for (int round = 0; round < rounds; ++round) round_of(kind, bytes, window);
  const unsigned long long end = cycles();
  ARMCI_Fence(TARGET);
  printf("armci_bandwidth operation=%s size=%d rounds=%d window=%.1f\n", kNames[kind], bytes, rounds,
         (double)(end - begin) / rounds / window);
}

int main(int argc, char** argv) {
  ARMCI_Init_args(&argc, &argv);
  const int rank = armci_msg_me(), size = armci_msg_nproc();
  const int window = argc > 1 ? atoi(argv[1]) : 16, rounds = argc > 2 ? atoi(argv[2]) : 2;
  const int most = argc > 3 ? atoi(argv[3]) : 1 << 20;
  if (window < 1 || window > MOST_WINDOW || rounds < 1 || most < LEAST || most > MOST || size < 2) {
    ARMCI_Error((char*)"armci_bandwidth [window [rounds [largest size]]], of 1 to 64, 1 or more, and 16 to 4194304, on "
                       "2 ranks or more",
                2);
  }
  void** const buffers = calloc((size_t)size, sizeof(void*));
  if (buffers == NULL || ARMCI_Malloc(buffers, most) != 0) ARMCI_Error((char*)"no memory", 1);
  here = buffers[rank];
  there = buffers[TARGET];
  ARMCI_Barrier();
  if (rank == 0) {
    for (kind_t kind = PUT; kind < KINDS; ++kind) {
      for (int bytes = LEAST; bytes <= most; bytes *= 2) measure(kind, bytes, window, rounds);
    }
  }
  ARMCI_Barrier();
  ARMCI_Free(buffers[rank]);
  ARMCI_Finalize();
  return 0;
}
