// SPDX-License-Identifier: Apache-2.0
// Messages whose number is known: twice from rank 0 to rank 1 with MPI_Send, four times from each rank to the next but
// one with MPI_Isend. Their size in bytes is the argument.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 4;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char* buffer = calloc(8, (size_t)bytes);
  for (int i = 0; i < 2; ++i) {
    if (rank == 0) MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Request requests[8];
  for (int i = 0; i < 4; ++i) {
    MPI_Irecv(buffer + i * bytes, bytes, MPI_CHAR, (rank + size - 2) % size, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < 4; ++i) {
    MPI_Isend(buffer + (4 + i) * bytes, bytes, MPI_CHAR, (rank + 2) % size, i, MPI_COMM_WORLD, &requests[4 + i]);
  }
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  free(buffer);
  MPI_Finalize();
  return 0;
}
