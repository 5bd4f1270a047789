// SPDX-License-Identifier: Apache-2.0
// All ranks wait for rank 0, which computes for five milliseconds.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, number = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double begin = MPI_Wtime();
  while (rank == 0 && MPI_Wtime() - begin < 0.005) continue;
  if (strcmp(argv[1], "barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (rank == 0) {
    for (int to = 1; to < size; ++to) MPI_Send(&number, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
