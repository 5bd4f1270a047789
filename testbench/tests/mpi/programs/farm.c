/* SPDX-License-Identifier: Apache-2.0 */
/* A master hands out tasks of different lengths to whoever asks; results have lengths that only a probe tells. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 20, WORK = 1, RESULT = 2, STOP = 3 };

static void master(int workers) {
  int sent = 0, received = 0, i, busy = 0, total = 0;
  char seen[TASKS];
  memset(seen, 0, sizeof(seen));
  for (i = 1; i <= workers; i++) {
    if (sent < TASKS) {
      MPI_Send(&sent, 1, MPI_INT, i, WORK, MPI_COMM_WORLD);
      sent++;
      busy++;
    } else {
      MPI_Send(NULL, 0, MPI_INT, i, STOP, MPI_COMM_WORLD);
    }
  }
  while (busy > 0) {
    MPI_Status status;
    int count;
    int* result;
    MPI_Probe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    result = malloc(sizeof(int) * count);
    MPI_Recv(result, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (count == result[0] + 1 && result[0] >= 0 && result[0] < TASKS) seen[result[0]]++;
    for (i = 1; i < count; i++) total += result[i];
    free(result);
    received++;
    if (sent < TASKS) {
      MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
      sent++;
    } else {
      MPI_Send(0, 0, MPI_INT, status.MPI_SOURCE, STOP, MPI_COMM_WORLD);
      busy--;
    }
  }
  for (i = 0; i < TASKS; i++)
    if (seen[i] != 1) printf("task %d was done %d times\n", i, seen[i]);
  printf("%d results, total %d\n", received, total);
}

static void worker(void) {
  for (;;) {
    int task, i;
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == STOP) return;
    int* result = malloc(sizeof(int) * (task + 1));
    result[0] = task;
    for (i = 1; i <= task; i++) result[i] = i;
    MPI_Send(result, task + 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    free(result);
  }
}

int main(int argc, char* argv[]) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "needs at least two processes\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0)
    master(size - 1);
  else
    worker();
  MPI_Finalize();
  return 0;
}
