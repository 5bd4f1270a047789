// SPDX-License-Identifier: Apache-2.0
// The least that an MPI program does: start, meet, end.
#include "firmware/mpi/mpi.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
