/* SPDX-License-Identifier: Apache-2.0 */
/* The sieve of Eratosthenes by blocks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_SIZE(id, p, n) (BLOCK_LOW((id) + 1, p, n) - BLOCK_LOW(id, p, n))

int main(int argc, char* argv[]) {
  int id, p, n = argc > 1 ? atoi(argv[1]) : 10000, count = 0, global_count, prime = 2, index = 0;
  double elapsed_time;
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  elapsed_time = -MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &id);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int low = 2 + BLOCK_LOW(id, p, n - 1), size = BLOCK_SIZE(id, p, n - 1);
  char* marked = calloc(size, 1);
  do {
    int first;
    if (prime * prime > low)
      first = prime * prime - low;
    else
      first = low % prime ? prime - low % prime : 0;
    for (int i = first; i < size; i += prime) marked[i] = 1;
    if (!id) {
      while (marked[++index])
        ;
      prime = index + 2;
    }
    MPI_Bcast(&prime, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } while (prime * prime <= n);
  for (int i = 0; i < size; i++) count += !marked[i];
  MPI_Reduce(&count, &global_count, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  elapsed_time += MPI_Wtime();
  if (!id) printf("%d primes are less than or equal to %d%s\n", global_count, n, elapsed_time > 0 ? "" : " at once");
  free(marked);
  MPI_Finalize();
  return 0;
}
