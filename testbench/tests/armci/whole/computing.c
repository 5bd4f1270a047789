// SPDX-License-Identifier: Apache-2.0
// Rank 0 accumulates in the memory of the others while they compute and call nothing. Prints whether it was done before
// they were: only if something advances in their place.
#include "../check.h"

static const double kCompute = 5e-3;  // seconds

int main(void) {
  ARMCI_Init();
  const int rank = armci_msg_me(), size = armci_msg_nproc();
  void** const memories = malloc((size_t)size * sizeof *memories);
  ARMCI_Malloc(memories, 64);
  *(long*)memories[rank] = 0;
  ARMCI_Barrier();
  double times[2] = {0, 0};  // when rank 0 is done, and when the first of the others is
  if (rank == 0) {
    long scale = 1, one = 1;
    for (int to = 1; to < size; ++to) {
      CHECK_IS(0, ARMCI_Acc(ARMCI_ACC_LNG, &scale, &one, memories[to], sizeof one, to));
    }
    ARMCI_AllFence();
    times[0] = armci_timer();
  } else {
    const double end = armci_timer() + kCompute;
    while (armci_timer() < end) {
    }
    times[1] = -armci_timer();
  }
  armci_msg_dgop(times, 1, (char*)"+");
  if (rank == 0) times[1] = -1e300;
  armci_msg_dgop(times + 1, 1, (char*)"max");
  ARMCI_Barrier();
  if (rank != 0) CHECK(*(long*)memories[rank] == 1, "the sum is %ld", *(long*)memories[rank]);
  if (rank == 0) printf("served=%s\n", times[0] < -times[1] ? "meanwhile" : "later");
  return check_end();
}
