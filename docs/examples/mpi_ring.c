// SPDX-License-Identifier: Apache-2.0
// Passes a number once around all ranks; each adds its rank.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const double start = MPI_Wtime();
  if (rank == 0) {
    MPI_Send(&sum, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    MPI_Recv(&sum, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("the sum of the ranks 0 to %d is %d, after %.2f us\n", size - 1, sum, (MPI_Wtime() - start) * 1e6);
  } else {
    MPI_Recv(&sum, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += rank;
    MPI_Send(&sum, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
