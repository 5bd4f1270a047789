// SPDX-License-Identifier: Apache-2.0
// Sends packets through many of the message layer's ports, and over the tree.
#include <mpi.h>

enum { RANKS = 64, NUMBERS = 200, MANY = 3000 };

static int in[RANKS * NUMBERS], out[RANKS * NUMBERS];

int main(int argc, char** argv) {
  int rank, size, said = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int count = 1; count <= MANY; count = count == 1 ? NUMBERS : count == NUMBERS ? MANY : MANY + 1) {
    MPI_Sendrecv(in, count, MPI_INT, (rank + 1) % size, 0, out, count, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Alltoall(in, NUMBERS, MPI_INT, out, NUMBERS, MPI_INT, MPI_COMM_WORLD);
  MPI_Bcast(in, MANY, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&said, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return out[0] == size ? 0 : 1;
}
