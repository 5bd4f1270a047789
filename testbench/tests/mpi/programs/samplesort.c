/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by samples: splitters from all, then every process sends each other what belongs there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const int n = 500;
  int rank, p, i, j;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);

  int* data = malloc(n * sizeof(int));
  long sum = 0, total, check;
  srand(17 + rank);
  for (i = 0; i < n; i++) {
    data[i] = rand() % 100000;
    sum += data[i];
  }
  qsort(data, n, sizeof(int), compare);

  int *samples = malloc(p * sizeof(int)), *all = malloc(p * p * sizeof(int)), *splitters = malloc(p * sizeof(int));
  for (i = 0; i < p; i++) samples[i] = data[i * n / p];
  MPI_Gather(samples, p, MPI_INT, all, p, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    qsort(all, p * p, sizeof(int), compare);
    for (i = 1; i < p; i++) splitters[i - 1] = all[i * p];
  }
  MPI_Bcast(splitters, p - 1, MPI_INT, 0, MPI_COMM_WORLD);

  int *scounts = calloc(p, sizeof(int)), *rcounts = malloc(p * sizeof(int));
  int *sdispls = calloc(p, sizeof(int)), *rdispls = calloc(p, sizeof(int));
  for (i = 0, j = 0; i < n; i++) {
    while (j < p - 1 && data[i] >= splitters[j]) j++;
    scounts[j]++;
  }
  MPI_Alltoall(scounts, 1, MPI_INT, rcounts, 1, MPI_INT, MPI_COMM_WORLD);
  for (i = 1; i < p; i++) {
    sdispls[i] = sdispls[i - 1] + scounts[i - 1];
    rdispls[i] = rdispls[i - 1] + rcounts[i - 1];
  }
  int mine = rdispls[p - 1] + rcounts[p - 1];
  int* sorted = malloc((mine + 1) * sizeof(int));
  MPI_Alltoallv(data, scounts, sdispls, MPI_INT, sorted, rcounts, rdispls, MPI_INT, MPI_COMM_WORLD);
  qsort(sorted, mine, sizeof(int), compare);

  /* Is it sorted across processes, and is nothing lost? */
  int first = mine ? sorted[0] : 1000000, next, wrong = 0, all_wrong, count;
  MPI_Status status;
  MPI_Sendrecv(&first, 1, MPI_INT, rank ? rank - 1 : MPI_PROC_NULL, 0, &next, 1, MPI_INT,
               rank < p - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  for (i = 1; i < mine; i++) wrong += sorted[i] < sorted[i - 1];
  if (rank < p - 1 && mine) wrong += sorted[mine - 1] > next;
  check = 0;
  for (i = 0; i < mine; i++) check += sorted[i];
  check -= sum;
  MPI_Allreduce(&check, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine, &count, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sorted %s numbers: %d out of order, difference of sums %ld\n", count == n * p ? "all" : "not all",
           all_wrong, total);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
