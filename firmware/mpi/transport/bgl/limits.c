// SPDX-License-Identifier: Apache-2.0
// What environment variables say of this machine's protocols and networks.
#include "firmware/mpi/transport/bgl/bgl.h"

const char mpit_prefix[] = "BGLMPI_";

size_t mpit_short_bytes;

mpit_bgl_limits_t mpit_bgl_limits = {
    .eager = 1000,
    // Where the ways of 32 processes take as long: the tree carries 350 MB/s whatever the shape, the torus more, but
    // begins later; the sum of doubles costs the cores more on the tree, in two passes, than halves of it by messages.
    .bcast_tree = 65536,
    .bcast_torus = 65537,
    .reduce_tree = INT32_MAX,
    .sum_tree = 8192,
    .sum_wide = 4,
    .allgather_tree = INT32_MAX,
    .allgather_torus = 65536,
    .alltoall_torus = 1,
};

void mpit_bgl_limits_init(void) {
  mpit_bgl_limits_t* limits = &mpit_bgl_limits;
  enum {
    SHORT_MOST = BGLML_ONE_PACKET_MAX - MPIT_HEAD_BYTES,
    // A message sent without a handshake is stored at its receiver until a receive matches: this limits the memory.
    EAGER_MOST = 1 << 24,
  };
  mpit_short_bytes = MPIT_HEAD_BYTES + mpii_variable("SHORT", SHORT_MOST, SHORT_MOST);
  limits->eager = mpii_variable("EAGER", limits->eager, EAGER_MOST);
  limits->adaptive = mpii_variable("ADAPTIVE", limits->adaptive, EAGER_MOST);
  static const struct {
    const char* name;
    uint32_t* limit;
  } of_networks[] = {
      {"BCAST_TREE", &mpit_bgl_limits.bcast_tree},
      {"BCAST_TORUS", &mpit_bgl_limits.bcast_torus},
      {"REDUCE_TREE", &mpit_bgl_limits.reduce_tree},
      {"SUM_TREE", &mpit_bgl_limits.sum_tree},
      {"SUM_WIDE", &mpit_bgl_limits.sum_wide},
      {"ALLGATHER_TREE", &mpit_bgl_limits.allgather_tree},
      {"ALLGATHER_TORUS", &mpit_bgl_limits.allgather_torus},
      {"ALLTOALL_TORUS", &mpit_bgl_limits.alltoall_torus},
  };
  for (unsigned i = 0; i < sizeof of_networks / sizeof *of_networks; ++i) {
    *of_networks[i].limit = mpii_variable(of_networks[i].name, *of_networks[i].limit, INT32_MAX);
  }
}
