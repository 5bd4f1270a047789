/* SPDX-License-Identifier: Apache-2.0 */
/* What never comes: "fence" of rank 1, "lock" that rank 0 keeps, "post" of rank 0, "complete" of rank 1; and an access
 * by rank 1 to memory that is not attached ("detached"). */
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, value = 0, other;
  int* base;
  MPI_Aint nowhere = 4096;
  MPI_Win win, dynamic;
  MPI_Group world, peer;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_set_name(win, "table");
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  other = 1 - rank;
  MPI_Group_incl(world, 1, &other, &peer);
  if (strcmp(argv[1], "fence") == 0) {
    if (rank == 0) MPI_Win_fence(0, win);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(argv[1], "lock") == 0) {
    if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  } else if (strcmp(argv[1], "post") == 0) {
    if (rank == 1) {
      MPI_Win_start(peer, 0, win);
      MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
  } else if (strcmp(argv[1], "complete") == 0) {
    if (rank == 0) {
      MPI_Win_post(peer, 0, win);
      MPI_Win_wait(win);
    }
  } else if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, dynamic);
    MPI_Put(&value, 1, MPI_INT, 0, nowhere, 1, MPI_INT, dynamic);
    MPI_Win_unlock(0, dynamic);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
