// SPDX-License-Identifier: Apache-2.0
// The job, its processes and their places.
#include <stdio.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/mpi/transport/bgl/bgl.h"

const char mpit_name[] = "the Blue Gene/L message layer";
const char mpit_architecture[] = "powerpc";

void mpit_init(void) {
  bglml_init(NULL);
  mpit_bgl_limits_init();
  mpit_bgl_messages_init();
}

void mpit_meet(void) {
  bglml_barrier();
}

uint32_t mpit_rank(void) {
  return bglml_rank();
}

uint32_t mpit_size(void) {
  return bglml_size();
}

void mpit_end_job(int status) {
  bgl_end_job(status);
}

bool mpit_is_failing(void) {
  return bglml_is_failing();
}

// ---------------------------------------------------------------------------------------------------------------
// The clock: the cores' time bases count together from the machine's start.

double mpit_tick(void) {
  static double seconds;
  if (seconds == 0) {
    struct toroid_personality personality;
    bgl_get_personality(&personality);
    seconds = 1e-6 / personality.core_mhz;
  }
  return seconds;
}

double mpit_time(void) {
  return (double)bgl_timebase() * mpit_tick();
}

// ---------------------------------------------------------------------------------------------------------------
// Places: x, y, z in the torus, t in the node.

unsigned mpit_axes(void) {
  return 4;
}

void mpit_place(uint32_t rank, int axes[]) {
  const bglml_coordinates_t place = bglml_coordinates(rank);
  axes[0] = place.x;
  axes[1] = place.y;
  axes[2] = place.z;
  axes[3] = place.t;
}

unsigned mpit_hops(uint32_t from, uint32_t to) {
  return bglml_hops(from, to);
}

uint32_t mpit_node(uint32_t rank) {
  const bglml_coordinates_t place = bglml_coordinates(rank), shape = bglml_shape();
  return ((uint32_t)place.z * shape.y + place.y) * shape.x + place.x;
}

uint32_t mpit_io_set(void) {
  struct toroid_personality personality;
  return bgl_get_personality(&personality) == 0 ? personality.processing_set : 0;
}

void mpit_processor_name(char* name) {
  const bglml_coordinates_t place = bglml_coordinates(bglml_rank());
  snprintf(name, MPI_MAX_PROCESSOR_NAME, "node (%u,%u,%u) core %u", place.x, place.y, place.z, place.t);
}
