/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are at odds over a collective operation: "operation", one calls another; "count", one expects more. */
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, x[4] = {0}, y[4] = {0};
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 3, rank, &half);
  MPI_Comm_set_name(half, "half");
  const int another = strcmp(argv[1], "operation") == 0;
  if (rank == 0 && another) {
    MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, half);
  } else if (rank != 3) {
    MPI_Bcast(x, rank == 2 && !another ? 3 : 2, MPI_INT, 0, half);
  }
  MPI_Finalize();
  return 0;
}
