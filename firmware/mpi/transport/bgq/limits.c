// SPDX-License-Identifier: Apache-2.0
// What environment variables say of this machine's protocols and networks.
#include <stdlib.h>

#include "firmware/mpi/transport/bgq/bgq.h"

const char mpit_prefix[] = "BGQMPI_";

size_t mpit_short_bytes;

mpit_bgq_limits_t mpit_bgq_limits = {
    .bcast_route = INT32_MAX,
    .reduce_route = INT32_MAX,
    .allgather_route = INT32_MAX,
    .part_routes = 1,
};

/// The limit under the names that it had: the least message that is asked for.
static uint32_t of_the_machine(void) {
  static const char* const names[] = {"PAMID_EAGER", "PAMID_RZV", "PAMI_EAGER", "PAMI_RVZ", "PAMI_RZV"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* text = getenv(names[i]);
    const uint32_t least = text != NULL ? (uint32_t)strtoul(text, NULL, 0) : 0;
    if (least != 0) return least - 1;
  }
  return 2048;
}

void mpit_bgq_limits_init(size_t most) {
  enum {
    SHORT_MOST = MPIT_SHORT_LEAST - MPIT_HEAD_BYTES,
    // A message sent without a handshake is stored at its receiver until a receive matches: this limits the memory.
    EAGER_MOST = 1 << 24,
  };
  if (most < MPIT_SHORT_LEAST)
    mpii_end("PAMI sends %lu bytes immediately; MPI needs %d", (unsigned long)most, MPIT_SHORT_LEAST);
  const uint32_t eager = of_the_machine();
  mpit_short_bytes = MPIT_HEAD_BYTES + mpii_variable("SHORT", SHORT_MOST, SHORT_MOST);
  mpit_bgq_limits_t* limits = &mpit_bgq_limits;
  limits->eager = mpii_variable("EAGER", eager < EAGER_MOST ? eager : EAGER_MOST, EAGER_MOST);
  limits->bcast_route = mpii_variable("BCAST_ROUTE", limits->bcast_route, INT32_MAX);
  limits->reduce_route = mpii_variable("REDUCE_ROUTE", limits->reduce_route, INT32_MAX);
  limits->allgather_route = mpii_variable("ALLGATHER_ROUTE", limits->allgather_route, INT32_MAX);
  limits->part_routes = mpii_variable("PART_ROUTES", limits->part_routes, 1);
}
