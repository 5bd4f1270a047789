/* SPDX-License-Identifier: Apache-2.0 */
/* A token goes around the ring several times. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, token, lap;
  const int laps = 3;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (lap = 0; lap < laps; lap++) {
    if (rank == 0) {
      if (lap == 0) token = 0;
      token++;
      MPI_Ssend(&token, 1, MPI_INT, (rank + 1) % size, lap, MPI_COMM_WORLD);
      MPI_Recv(&token, 1, MPI_INT, size - 1, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("after lap %d the token is %d\n", lap, token);
    } else {
      MPI_Recv(&token, 1, MPI_INT, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      token++;
      MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, lap, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
