// SPDX-License-Identifier: Apache-2.0
// A counter from which processes draw tasks: how long a draw takes while process 0, which has the counter, waits in
// ARMCI or computes (A. Vishnu et al., IPDPS 2013, section IV-B.3). All other processes draw; process 0 calls ARMCI
// after each piece of its computation.
//   armci_counter [draws [microseconds of a piece]]: 50 draws by each process; 0, process 0 waits
//   armci_counter ranks=4 draws=50 compute_us=0 mean_us=2.913 most_us=4.1 seconds=0.000146 right=yes
#include "firmware/programs/armci_kernel.h"

static long draw(void** counters, long by) {
  long task;
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &task, counters[0], (int)by, 0);
  return task;
}

static void compute(double seconds) {
  volatile double value = 1;
  for (const double end = armci_timer() + seconds; armci_timer() < end;) {
    for (int i = 0; i < 100; ++i) value = value * 1.0000001 + 1e-9;
  }
}

int main(int argc, char** argv) {
  static const char kUsage[] = "armci_counter [draws [microseconds of a piece]]: 1 to 1000000, 0 to 1000000";
  kernel_begin(&argc, &argv);
  const int draws = kernel_argument(argc, argv, 1, 50, 1, 1000000, kUsage);
  const int piece = kernel_argument(argc, argv, 2, 0, 0, 1000000, kUsage);
  if (size < 2) ARMCI_Error((char*)"armci_counter needs two processes", 2);
  void** const counters = kernel_shared(sizeof(long));
  const long all = (long)draws * (size - 1);
  double sum = 0, most = 0, drawn = 0;
  const double begin = armci_timer();
  if (rank == 0) {
    while (piece != 0 && draw(counters, 0) < all) compute(piece * 1e-6);
  } else {
    for (int i = 0; i < draws; ++i) {
      const double before = armci_timer();
      drawn += (double)draw(counters, 1);
      const double took = armci_timer() - before;
      sum += took;
      if (took > most) most = took;
    }
  }
  ARMCI_Barrier();
  const double seconds = armci_timer() - begin;
  // Each number once.
  int right = kernel_over_all(drawn, "+") == (double)all * (double)(all - 1) / 2 && draw(counters, 0) == all;
  sum = kernel_over_all(sum, "+");
  most = kernel_over_all(most, "max");
  right = kernel_agree(right);
  if (rank == 0) {
    printf("armci_counter ranks=%d draws=%d compute_us=%d mean_us=%.3f most_us=%.3f seconds=%.6f right=%s\n", size,
           draws, piece, sum / (double)all * 1e6, most * 1e6, seconds, right ? "yes" : "no");
  }
  kernel_free(counters);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
