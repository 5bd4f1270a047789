// SPDX-License-Identifier: Apache-2.0
// The emulated clock: the cores' time bases count together from the machine's start.
#include "drivers/bgl/kernel.h"
#include "firmware/mpi/error.h"

static double seconds_a_tick(void) {
  static double seconds;
  if (seconds == 0) {
    struct toroid_personality personality;
    bgl_get_personality(&personality);
    seconds = 1e-6 / personality.core_mhz;
  }
  return seconds;
}

double PMPI_Wtime(void) {
  return (double)bgl_timebase() * seconds_a_tick();
}
BGLMPI_PUBLIC(Wtime);

double PMPI_Wtick(void) {
  return seconds_a_tick();
}
BGLMPI_PUBLIC(Wtick);
