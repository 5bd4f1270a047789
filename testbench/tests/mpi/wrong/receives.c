// SPDX-License-Identifier: Apache-2.0
// MPI: all ranks wait for messages that nobody sends.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, number;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(&number, 1, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
