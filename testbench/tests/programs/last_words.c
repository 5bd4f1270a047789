// SPDX-License-Identifier: Apache-2.0
//
// Two lines and a piece of one on standard output, and then an end that flushes nothing: all of it is shown.
//   last_words deadlock | fault | abort | forever
// Rank 1 does what it says, and rank 0 waits; `held` before it: all of it stays in the C library's buffer.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const how = argv[argc - 1];
  static char buffer[4096];
  if (argc > 2) setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("rank %d of C\n", rank);
  printf("about to %s", how);
  printf(" on %d\n", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: no newline", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && strcmp(how, "fault") == 0) *(volatile int*)0 = 1;
  if (rank == 1 && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  while (strcmp(how, "forever") == 0) {
  }
  int never;
  MPI_Recv(&never, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
