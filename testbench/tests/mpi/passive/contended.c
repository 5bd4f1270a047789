// SPDX-License-Identifier: Apache-2.0
// All ranks take a lock in rank 0's memory some times: each swaps until it has got it. Rank 0 takes part, which must
// come to its calls of MPI while all others access its memory again and again.
#include <mpi.h>
#include <stdio.h>

enum { TIMES = 3 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win window;
  int* words;  // the lock, and what it protects
  MPI_Win_allocate(2 * sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &words, &window);
  words[0] = words[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  const int nobody = 0, self = rank + 1;
  for (int time = 0; time < TIMES; ++time) {
    int before, count;
    do {
      MPI_Compare_and_swap(&self, &nobody, &before, MPI_INT, 0, 0, window);
      MPI_Win_flush(0, window);
    } while (before != nobody);
    MPI_Get(&count, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    ++count;
    MPI_Put(&count, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Compare_and_swap(&nobody, &self, &before, MPI_INT, 0, 0, window);
    MPI_Win_flush(0, window);
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("taken %d times by %d ranks\n", words[1], size);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
