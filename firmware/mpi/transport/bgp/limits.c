// SPDX-License-Identifier: Apache-2.0
// What environment variables say of this machine's protocols and networks.
#include <stdlib.h>

#include "firmware/mpi/transport/bgp/bgp.h"

const char mpit_prefix[] = "BGPMPI_";

size_t mpit_short_bytes;

mpit_bgp_limits_t mpit_bgp_limits = {
    // Where the ways of 32 processes take as long: the collective network is faster than messages at any size, but the
    // sum of doubles costs the cores more there, in two passes, than halves of it by messages.
    .bcast_tree = INT32_MAX,
    .reduce_tree = INT32_MAX,
    .sum_tree = 4096,
    .allgather_tree = INT32_MAX,
};

/// The limit that DCMF itself follows, under the names that it had.
static uint32_t of_dcmf(void) {
  static const char* const names[] = {"DCMF_EAGER", "DCMF_RZV", "DCMF_RVZ"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* text = getenv(names[i]);
    if (text != NULL && *text != '\0') return (uint32_t)strtoul(text, NULL, 0);
  }
  return 1200;
}

void mpit_bgp_limits_init(void) {
  enum {
    SHORT_MOST = MPIT_SHORT_LEAST - MPIT_HEAD_BYTES,
    // A message sent without a handshake is stored at its receiver until a receive matches: this limits the memory.
    EAGER_MOST = 1 << 24,
  };
  const uint32_t eager = of_dcmf();
  mpit_short_bytes = MPIT_HEAD_BYTES + mpii_variable("SHORT", SHORT_MOST, SHORT_MOST);
  mpit_bgp_limits_t* limits = &mpit_bgp_limits;
  limits->eager = mpii_variable("EAGER", eager < EAGER_MOST ? eager : EAGER_MOST, EAGER_MOST);
  limits->bcast_tree = mpii_variable("BCAST_TREE", limits->bcast_tree, INT32_MAX);
  limits->reduce_tree = mpii_variable("REDUCE_TREE", limits->reduce_tree, INT32_MAX);
  limits->sum_tree = mpii_variable("SUM_TREE", limits->sum_tree, INT32_MAX);
  limits->allgather_tree = mpii_variable("ALLGATHER_TREE", limits->allgather_tree, INT32_MAX);
}
