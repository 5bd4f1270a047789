// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/environment.h"

#include <errno.h>
#include <stdlib.h>

#include "firmware/mpi/request.h"

static bglmpi_limits_t limits = {
    .short_bytes = BGLMPI_SHORT_MAX,
    .eager_bytes = 1000,
    .check_types = true,
    .networks = true,
    .interrupts = true,
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
    .bcast_binomial = 8192,
    .gather_binomial = 32768,
    .allgather_doubling = 16384,
    .allreduce_doubling = 4096,
    .reduce_scatter_root = 2048,
};

const bglmpi_limits_t* bglmpi_limits(void) {
  return &limits;
}

static uint32_t number(const char* name, uint32_t otherwise, uint32_t most) {
  const char* text = getenv(name);
  if (text == NULL) return otherwise;
  char* end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most) {
    bglmpi_end("%s is '%s'; it must be a number from 0 to %u", name, text, most);
  }
  return (uint32_t)value;
}

void bglmpi_environment_init(void) {
  // Messages that are sent without asking are stored where nobody waits for them: not too large.
  enum { EAGER_MOST = 1 << 24 };
  limits.short_bytes = number("BGLMPI_SHORT", limits.short_bytes, BGLMPI_SHORT_MAX);
  limits.eager_bytes = number("BGLMPI_EAGER", limits.eager_bytes, EAGER_MOST);
  limits.adaptive_bytes = number("BGLMPI_ADAPTIVE", limits.adaptive_bytes, EAGER_MOST);
  limits.check_types = number("BGLMPI_CHECK_TYPES", limits.check_types, 1) != 0;
  limits.networks = number("BGLMPI_NETWORKS", limits.networks, 1) != 0;
  limits.interrupts = number("BGLMPI_INTERRUPTS", limits.interrupts, 1) != 0;
  static const struct {
    const char* name;
    uint32_t* limit;
  } of_collectives[] = {
      {"BGLMPI_BCAST_TREE", &limits.bcast_tree},
      {"BGLMPI_BCAST_TORUS", &limits.bcast_torus},
      {"BGLMPI_REDUCE_TREE", &limits.reduce_tree},
      {"BGLMPI_SUM_TREE", &limits.sum_tree},
      {"BGLMPI_SUM_WIDE", &limits.sum_wide},
      {"BGLMPI_ALLGATHER_TREE", &limits.allgather_tree},
      {"BGLMPI_ALLGATHER_TORUS", &limits.allgather_torus},
      {"BGLMPI_ALLTOALL_TORUS", &limits.alltoall_torus},
      {"BGLMPI_BCAST_BINOMIAL", &limits.bcast_binomial},
      {"BGLMPI_GATHER_BINOMIAL", &limits.gather_binomial},
      {"BGLMPI_ALLGATHER_DOUBLING", &limits.allgather_doubling},
      {"BGLMPI_ALLREDUCE_DOUBLING", &limits.allreduce_doubling},
      {"BGLMPI_REDUCE_SCATTER_ROOT", &limits.reduce_scatter_root},
  };
  for (unsigned i = 0; i < sizeof of_collectives / sizeof *of_collectives; ++i) {
    *of_collectives[i].limit = number(of_collectives[i].name, *of_collectives[i].limit, INT32_MAX);
  }
}
