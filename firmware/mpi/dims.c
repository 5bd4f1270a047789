// SPDX-License-Identifier: Apache-2.0
// MPI_Dims_create().
#include <stdlib.h>

#include "firmware/mpi/balanced_factors.h"
#include "firmware/mpi/comm.h"

int PMPI_Dims_create(int nodes, int dimensions, int sizes[]) {
  mpii_enter("MPI_Dims_create");
  MPII_TRY(mpii_check_array(NULL, sizes, dimensions, "sizes"));
  if (nodes < 1) return mpii_fail(NULL, MPI_ERR_ARG, "there are %d nodes; 1 is the least", nodes);
  if (dimensions < 0) return mpii_fail(NULL, MPI_ERR_DIMS, "there are %d dimensions; 0 is the least", dimensions);
  int64_t given = 1;
  int open = 0;
  for (int i = 0; i < dimensions; ++i) {
    if (sizes[i] < 0) return mpii_fail(NULL, MPI_ERR_DIMS, "dimension %d has size %d; 0 is the least", i, sizes[i]);
    if (sizes[i] == 0) {
      ++open;
    } else if (given <= nodes) {
      given *= sizes[i];
    }
  }
  if (dimensions == 0) return MPI_SUCCESS;
  if (nodes % given != 0 || (open == 0 && given != nodes)) {
    return mpii_fail(NULL, MPI_ERR_DIMS, "the sizes given do not divide %d nodes", nodes);
  }
  if (open == 0) return MPI_SUCCESS;
  int* factors = mpii_allocate((size_t)open * sizeof *factors);
  mpii_balanced_factors((int)(nodes / given), open, factors);
  for (int i = 0, next = 0; i < dimensions; ++i) {
    if (sizes[i] == 0) sizes[i] = factors[next++];
  }
  free(factors);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Dims_create);
