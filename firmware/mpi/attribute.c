// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/attribute.h"

#include <stddef.h>

#include "firmware/mpi/mpi.h"

int bglmpi_attributes_delete(int handle, struct bglmpi_attribute** list) {
  (void)handle, (void)list;
  return MPI_SUCCESS;
}

int bglmpi_attributes_copy(int handle, const struct bglmpi_attribute* from, struct bglmpi_attribute** to) {
  (void)handle, (void)from;
  *to = NULL;
  return MPI_SUCCESS;
}
