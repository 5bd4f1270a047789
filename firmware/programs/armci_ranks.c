// SPDX-License-Identifier: Apache-2.0
// Latency of a get of 16 bytes by rank 0 from each other rank, in cycles of the core.
//   armci_ranks [rounds]: 6
// Rank 0 begins to look for the end of a get 0, 80, 160... cycles after its begin: what a turn of its looking takes
// would otherwise be the step in which latencies grow.
//   armci_ranks rank=5 rounds=10 get=4400.0
#include "firmware/programs/armci_kernel.h"
#include "firmware/programs/cycles.h"

enum { BYTES = 16, FIRST = 2, PAUSE_EACH = 80 };  // the first rounds are not measured

static double get(void** words, int from, int rounds) {
  unsigned long long sum = 0;
  for (int round = -FIRST; round < rounds; ++round) {
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    const unsigned long long begin = cycles();
    ARMCI_NbGet(words[from], words[0], BYTES, from, &handle);
    if (round < 0) {
      ARMCI_Wait(&handle);
      continue;
    }
    for (const unsigned long long begun = cycles(); cycles() - begun < (unsigned)(PAUSE_EACH * round);) continue;
    ARMCI_Wait(&handle);
    sum += cycles() - begin;
  }
  return (double)sum / rounds;
}

int main(int argc, char** argv) {
  kernel_begin(&argc, &argv);
  const int rounds = kernel_argument(argc, argv, 1, 6, 1, 1000, "armci_ranks [rounds]: 1 to 1000");
  void** const words = kernel_shared(BYTES);
  for (int from = 1; rank == 0 && from < size; ++from) {
    printf("armci_ranks rank=%d rounds=%d get=%.1f\n", from, rounds, get(words, from, rounds));
  }
  kernel_free(words);
  ARMCI_Finalize();
  return 0;
}
