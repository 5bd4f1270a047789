/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong with files: one that is not there, under MPI_ERRORS_ARE_FATAL ("missing"); a collective write that
 * rank 1 does not take part in ("alone"). */
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "missing") == 0) {
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "missing.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  } else {
    MPI_File_open(MPI_COMM_WORLD, "alone.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (rank == 0) MPI_File_write_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
