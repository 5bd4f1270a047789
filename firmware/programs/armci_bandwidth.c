// SPDX-License-Identifier: Apache-2.0
// Contiguous puts and gets of ARMCI over their size, one at a time or many under way, from rank 0 to rank 1, in cycles
// of the core.
//   armci_bandwidth [window [rounds [largest size]]]: 16, 2 and 1048576
// A round begins as many operations with handles as the window says, and waits for all of them: of puts, until their
// memory may be used again. With a window of 1 they are the blocking calls. window: cycles for each operation.
//   armci_bandwidth operation=get size=4096 rounds=2 window=4400.0
#include "firmware/programs/armci_kernel.h"
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
  static const char kUsage[] = "armci_bandwidth [window [rounds [largest size]]]: 1 to 64, 1 to 1000000, 16 to 4194304";
  kernel_begin(&argc, &argv);
  const int window = kernel_argument(argc, argv, 1, 16, 1, MOST_WINDOW, kUsage);
  const int rounds = kernel_argument(argc, argv, 2, 2, 1, 1000000, kUsage);
  const int most = kernel_argument(argc, argv, 3, 1 << 20, LEAST, MOST, kUsage);
  if (size < 2) ARMCI_Error((char*)"armci_bandwidth needs two processes", 2);
  void** const buffers = kernel_shared((size_t)most);
  here = buffers[rank];
  there = buffers[TARGET];
  if (rank == 0) {
    for (kind_t kind = PUT; kind < KINDS; ++kind) {
      for (int bytes = LEAST; bytes <= most; bytes *= 2) measure(kind, bytes, window, rounds);
    }
  }
  kernel_free(buffers);
  ARMCI_Finalize();
  return 0;
}
