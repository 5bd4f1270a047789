// SPDX-License-Identifier: Apache-2.0
// The kernel's information about this process and its job, in the message layer's format.
#include <stdlib.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/state.h"

enum { DIMENSIONS = 3, RANKS_A_CALL = 64 };

/// The kernel's table of places, four bytes for each rank.
static const uint32_t* read_map(uint32_t ranks) {
  uint32_t* table = malloc(ranks * sizeof *table);
  if (table == NULL) bglml_fatal("no memory for the places of %u ranks", ranks);
  uint32_t places[RANKS_A_CALL][TOROID_MAP_WORDS];
  uint32_t got;
  for (uint32_t first = 0; first < ranks; first += got) {
    const int error = bgl_get_map(&places[0][0], first, RANKS_A_CALL, &got);
    if (error != 0 || got == 0) bglml_fatal("the kernel has no place for rank %u of %u: error %d", first, ranks, error);
    for (uint32_t i = 0; i < got; ++i) {
      const uint32_t* place = places[i];
      table[first + i] = TOROID_MAP_COORDINATE(place, 0) | TOROID_MAP_COORDINATE(place, 1) << 8 |
                         TOROID_MAP_COORDINATE(place, 2) << 16 | TOROID_MAP_T(place) << 24;
    }
  }
  return table;
}

void bglml_personality(bglml_personality_t* personality) {
  struct toroid_personality kernel;
  const int error = bgl_get_personality(&kernel);
  if (error != 0) bglml_fatal("the kernel gives no personality: error %d", error);
  if (kernel.version != TOROID_PERSONALITY_VERSION || kernel.dimensions != DIMENSIONS) {
    bglml_fatal(
        "this program was built for Blue Gene/L, with %d dimensions and personality version %d; this machine has "
        "%u and version %u: build it with --machine",
        DIMENSIONS, TOROID_PERSONALITY_VERSION, kernel.dimensions, kernel.version);
  }
  personality->rank = kernel.rank;
  personality->ranks = kernel.ranks;
  personality->shape.x = (uint8_t)kernel.shape[0];
  personality->shape.y = (uint8_t)kernel.shape[1];
  personality->shape.z = (uint8_t)kernel.shape[2];
  personality->shape.t = (uint8_t)kernel.processes_per_node;
  personality->torus = (uint8_t)(kernel.torus[0] | kernel.torus[1] << 1 | kernel.torus[2] << 2);
  personality->cores = kernel.cores_per_process;
  personality->table = read_map(kernel.ranks);
}

uint32_t bglml_cycles(void) {
  return (uint32_t)bgl_timebase();
}
