/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B: rows of A are scattered, B is broadcast, rows of C are gathered. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 32

int main(int argc, char* argv[]) {
  int rank, size, i, j, k, rows;
  double *a = NULL, *c = NULL, *b, *aloc, *cloc;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* The last process takes what is left over. */
  int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int));
  for (i = 0; i < size; i++) {
    counts[i] = (N / size) * N;
    displs[i] = i * (N / size) * N;
  }
  counts[size - 1] += (N % size) * N;
  rows = counts[rank] / N;
  b = malloc(N * N * sizeof(double));
  aloc = malloc((rows * N + 1) * sizeof(double));
  cloc = malloc((rows * N + 1) * sizeof(double));
  if (rank == 0) {
    a = malloc(N * N * sizeof(double));
    c = malloc(N * N * sizeof(double));
    for (i = 0; i < N; i++)
      for (j = 0; j < N; j++) {
        a[i * N + j] = i + j;
        b[i * N + j] = i - j;
      }
  }
  MPI_Scatterv(a, counts, displs, MPI_DOUBLE, aloc, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, N * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (i = 0; i < rows; i++)
    for (j = 0; j < N; j++) {
      cloc[i * N + j] = 0;
      for (k = 0; k < N; k++) cloc[i * N + j] += aloc[i * N + k] * b[k * N + j];
    }
  MPI_Gatherv(cloc, counts[rank], MPI_DOUBLE, c, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int wrong = 0;
    for (i = 0; i < N; i++)
      for (j = 0; j < N; j++) {
        double expected = 0;
        for (k = 0; k < N; k++) expected += (double)(i + k) * (k - j);
        if (c[i * N + j] != expected) wrong++;
      }
    printf("matrix product: %d wrong elements, c[5][7] = %.1f\n", wrong, c[5 * N + 7]);
  }
  MPI_Finalize();
  return 0;
}
