// SPDX-License-Identifier: Apache-2.0
// MPI_Dims_create(): factors of a number that are as near to each other as possible.
#include <stdlib.h>

#include "firmware/mpi/comm.h"

/// Write `number` as a product of `count` factors, none greater than `most`, the greatest first, each as small as can
/// be. False where it is impossible.
static bool factorise(int number, int count, int most, int* factors) {
  if (count == 0) return number == 1;
  for (int factor = 1; factor <= most && factor <= number; ++factor) {
    if (number % factor != 0) continue;
    int64_t reach = 1;  // of what the factors could make
    for (int i = 0; i < count && reach < number; ++i) reach *= factor;
    if (reach < number) continue;
    factors[0] = factor;
    if (factorise(number / factor, count - 1, factor, factors + 1)) return true;
  }
  return false;
}

int PMPI_Dims_create(int nodes, int dimensions, int sizes[]) {
  bglmpi_enter("MPI_Dims_create");
  if (nodes < 1) return bglmpi_fail(NULL, MPI_ERR_ARG, "there are %d nodes; 1 is the least", nodes);
  if (dimensions < 0) return bglmpi_fail(NULL, MPI_ERR_DIMS, "there are %d dimensions; 0 is the least", dimensions);
  int64_t given = 1;
  int open = 0;
  for (int i = 0; i < dimensions; ++i) {
    if (sizes[i] < 0) return bglmpi_fail(NULL, MPI_ERR_DIMS, "dimension %d has size %d; 0 is the least", i, sizes[i]);
    if (sizes[i] == 0) {
      ++open;
    } else if (given <= nodes) {
      given *= sizes[i];
    }
  }
  if (dimensions == 0) return MPI_SUCCESS;
  if (nodes % given != 0 || (open == 0 && given != nodes)) {
    return bglmpi_fail(NULL, MPI_ERR_DIMS, "the sizes given do not divide %d nodes", nodes);
  }
  int* factors = bglmpi_allocate((size_t)open * sizeof *factors);
  factorise((int)(nodes / given), open, nodes, factors);
  for (int i = 0, next = 0; i < dimensions; ++i) {
    if (sizes[i] == 0) sizes[i] = factors[next++];
  }
  free(factors);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Dims_create);
