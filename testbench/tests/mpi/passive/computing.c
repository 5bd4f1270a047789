/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 computes for long without a call of MPI; the last rank locks it, puts, gets and unlocks. Prints when that was
 * done, in microseconds after rank 0 began, and when rank 0 had computed. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, *base, value = 7, found = 0;
  double times[2] = {0, 0}, done = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  base[0] = base[1] = 0;
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
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Get(&found, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    done = MPI_Wtime();
    MPI_Recv(times, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("found=%d done=%.1f computed=%.1f\n", found, 1e6 * (done - times[0]), 1e6 * (times[1] - times[0]));
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
