// SPDX-License-Identifier: Apache-2.0
// Latency of a get of 16 bytes by rank 0 from each other rank, in cycles of the core.
//   armci_ranks [rounds]: 60
// Rank 0 begins to look for the end of a get 0, 7, 14... cycles after its begin: what a turn of its looking takes would
// otherwise be the step in which latencies grow. 60 rounds end before the nearest rank's data come; with more, the
// pauses themselves would be measured.
//   armci_ranks rank=5 rounds=60 get=4100.0 least=3730.0
#include <limits.h>

#include "firmware/programs/armci_kernel.h"
#include "firmware/programs/cycles.h"

enum { BYTES = 16, FIRST = 2, PAUSE_EACH = 7 };  // the first rounds are not measured

typedef struct {
  double mean, least;
} latency_t;

static latency_t get(void** words, int from, int rounds) {
  unsigned long long sum = 0, least = ULLONG_MAX;
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
    const unsigned long long took = cycles() - begin;
    sum += took;
    if (took < least) least = took;
  }
  return (latency_t){(double)sum / rounds, (double)least};
}

int main(int argc, char** argv) {
  kernel_begin(&argc, &argv);
  const int rounds = kernel_argument(argc, argv, 1, 60, 1, 1000, "armci_ranks [rounds]: 1 to 1000");
  void** const words = kernel_shared(BYTES);
  for (int from = 1; rank == 0 && from < size; ++from) {
    const latency_t found = get(words, from, rounds);
    printf("armci_ranks rank=%d rounds=%d get=%.1f least=%.1f\n", from, rounds, found.mean, found.least);
  }
  kernel_free(words);
  ARMCI_Finalize();
  return 0;
}
