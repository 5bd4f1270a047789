// SPDX-License-Identifier: Apache-2.0
// OpenMP and MPI: threads compute, and call MPI all at the same time.
#include <omp.h>

#include "../check.h"

enum { CELLS = 240, STEPS = 10 };

static int rank, size;

/// A ring of cells over all processes, computed by the threads of each; between steps the main thread exchanges the
/// cells at the edges.
static double diffusion(void) {
  static double now[CELLS + 2], next[CELLS + 2];
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 1; i <= CELLS; ++i) now[i] = rank == 0 && i <= CELLS / 2 ? 1 : 0;
  for (int step = 0; step < STEPS; ++step) {
    MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[CELLS], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#pragma omp parallel for
    for (int i = 1; i <= CELLS; ++i) next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
#pragma omp parallel for
    for (int i = 1; i <= CELLS; ++i) now[i] = next[i];
  }
  double sum = 0, all = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i <= CELLS; ++i) sum += now[i];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// Each thread sends to the thread of its number on the next process.
static int exchange(void) {
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    const int thread = omp_get_thread_num(), mine = 100 * rank + thread, previous = (rank + size - 1) % size;
    for (int turn = 0; turn < STEPS; ++turn) {
      int got = -1;
      MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, thread, &got, 1, MPI_INT, previous, thread, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      wrong += got != 100 * previous + thread;
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) printf("level %d, %d threads\n", level, omp_get_max_threads());
  const double heat = diffusion();
  CHECK(heat > CELLS / 2 - 1e-9 && heat < CELLS / 2 + 1e-9, "the heat is %.9f", heat);
  const int wrong = level == MPI_THREAD_MULTIPLE ? exchange() : 0;
  CHECK(wrong == 0, "%d messages were wrong", wrong);
  return check_end();
}
