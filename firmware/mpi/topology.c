// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/topology.h"

#include <stdlib.h>

void bglmpi_topology_free(struct bglmpi_topology* topology) {
  free(topology);
}
