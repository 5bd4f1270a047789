// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/error.h"
#include "firmware/mpi/transport.h"

double PMPI_Wtime(void) {
  return mpit_time();
}
MPII_PUBLIC(Wtime);

double PMPI_Wtick(void) {
  return mpit_tick();
}
MPII_PUBLIC(Wtick);
