/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 allocates, frees and adds doubles without a call of MPI; the others accumulate in its memory and send it
 * messages that it receives at last. Prints when the others were done, in microseconds after rank 0 began, and when
 * rank 0 was. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 3000, ROUNDS = 5, MESSAGES = 20, TURNS = 8000, MOST = 64 };

static double ones[ELEMENTS], message[ELEMENTS];

/* Sums of doubles are right, and so is what allocated memory holds. */
static int disturbed(void) {
  static double* held[MOST];
  double sum = 0;
  int wrong = 0;
  for (int i = 0; i < TURNS; ++i) {
    double** const place = &held[(unsigned)i * 2654435761u >> 26];
    if (*place != NULL) wrong += (*place)[0] != (*place)[1];
    free(*place);
    *place = malloc(sizeof **place * (2 + (size_t)i % 700));
    (*place)[0] = (*place)[1] = i;
    sum += 0.5 * i;
  }
  return wrong + (sum != 0.25 * TURNS * (TURNS - 1.0));
}

int main(int argc, char** argv) {
  int rank, size, wrong = 0;
  double *base, times[3] = {0, 0, 0}, latest = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(ELEMENTS * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < ELEMENTS; ++i) base[i] = 0, ones[i] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    times[0] = MPI_Wtime();
    wrong = disturbed();
    times[1] = MPI_Wtime();
    for (int i = 0; i < MESSAGES * (size - 1); ++i) {
      MPI_Recv(message, ELEMENTS, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += message[0] != 1;
    }
  } else {
    MPI_Request sending[MESSAGES];
    for (int i = 0; i < MESSAGES; ++i)
      MPI_Isend(ones, i % 2 == 0 ? 100 : ELEMENTS, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &sending[i]);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ROUNDS; ++i) {
      MPI_Accumulate(ones, ELEMENTS, MPI_DOUBLE, 0, 0, ELEMENTS, MPI_DOUBLE, MPI_SUM, win);
      MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    times[2] = MPI_Wtime();
    MPI_Waitall(MESSAGES, sending, MPI_STATUSES_IGNORE);
  }
  MPI_Reduce(&times[2], &latest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int i = 0; i < ELEMENTS; ++i) wrong += base[i] != (double)ROUNDS * (size - 1);
    MPI_Win_unlock(0, win);
    printf("wrong=%d done=%.1f computed=%.1f\n", wrong, 1e6 * (latest - times[0]), 1e6 * (times[1] - times[0]));
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
