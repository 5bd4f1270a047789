/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 and the last one send each other 100 messages, with a window that may be locked. */
#include <mpi.h>

enum { MESSAGES = 100 };

int main(int argc, char** argv) {
  int rank, size, *base, number = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < 2 * MESSAGES; ++i) {
    const int from = i % 2 == 0 ? 0 : size - 1;
    if (rank == from) MPI_Send(&i, 1, MPI_INT, size - 1 - from, 0, MPI_COMM_WORLD);
    if (rank == size - 1 - from) MPI_Recv(&number, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
