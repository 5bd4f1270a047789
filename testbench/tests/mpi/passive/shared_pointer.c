/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0, which holds the shared file pointer, computes for long without a call of MPI; the last rank writes by that
 * pointer. Prints when that was done, in microseconds after rank 0 began, and when rank 0 had computed. An argument is
 * the value of the hint no_locks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, value = 7;
  double times[2] = {0, 0}, done;
  MPI_File file;
  MPI_Info info;
  MPI_Offset place;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_create(&info);
  if (argc > 1) MPI_Info_set(info, "no_locks", argv[1]);
  MPI_File_open(MPI_COMM_WORLD, "shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
  MPI_Info_free(&info);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    volatile unsigned hash = 2166136261u;
    unsigned right = 2166136261u;
    times[0] = MPI_Wtime();
    for (unsigned i = 0; i < 200000; ++i) hash = (hash ^ i) * 16777619u;
    times[1] = MPI_Wtime();
    for (unsigned i = 0; i < 200000; ++i) right = (right ^ i) * 16777619u;
    if (hash != right) printf("disturbed\n");
    MPI_Send(times, 2, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD);
  }
  if (rank == size - 1) {
    for (int i = 0; i < 3; ++i) MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position_shared(file, &place);
    done = MPI_Wtime();
    MPI_Recv(times, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("place=%lld done=%.1f computed=%.1f\n", place, 1e6 * (done - times[0]), 1e6 * (times[1] - times[0]));
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
