// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/transport.h"

static mpii_limits_t limits = {
    .check_types = true,
    .networks = true,
    .interrupts = true,
    .bcast_binomial = 8192,
    .gather_binomial = 32768,
    .allgather_doubling = 16384,
    .allreduce_doubling = 4096,
    .reduce_scatter_root = 2048,
};

const mpii_limits_t* mpii_limits(void) {
  return &limits;
}

uint32_t mpii_variable(const char* name, uint32_t otherwise, uint32_t most) {
  char whole[64];
  strcat(strcpy(whole, mpit_prefix), name);
  const char* text = getenv(whole);
  if (text == NULL) return otherwise;
  char* end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most) {
    mpii_end("%s is '%s'; it must be a number from 0 to %u", whole, text, most);
  }
  return (uint32_t)value;
}

void mpii_environment_init(void) {
  limits.check_types = mpii_variable("CHECK_TYPES", limits.check_types, 1) != 0;
  limits.networks = mpii_variable("NETWORKS", limits.networks, 1) != 0;
  limits.interrupts = mpii_variable("INTERRUPTS", limits.interrupts, 1) != 0;
  static const struct {
    const char* name;
    uint32_t* limit;
  } of_collectives[] = {
      {"BCAST_BINOMIAL", &limits.bcast_binomial},           {"GATHER_BINOMIAL", &limits.gather_binomial},
      {"ALLGATHER_DOUBLING", &limits.allgather_doubling},   {"ALLREDUCE_DOUBLING", &limits.allreduce_doubling},
      {"REDUCE_SCATTER_ROOT", &limits.reduce_scatter_root},
  };
  for (unsigned i = 0; i < sizeof of_collectives / sizeof *of_collectives; ++i) {
    *of_collectives[i].limit = mpii_variable(of_collectives[i].name, *of_collectives[i].limit, INT32_MAX);
  }
}
