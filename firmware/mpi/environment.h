// SPDX-License-Identifier: Apache-2.0
/// Environment variables. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_ENVIRONMENT_H
#define TOROID_FIRMWARE_MPI_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/// Each variable's name is the transport's prefix (mpit_prefix) and the name here. The transport has variables of its
/// own.
typedef struct {
  bool check_types;  ///< CHECK_TYPES: 1 (default), 0: messages may be received as another datatype
  bool interrupts;   ///< INTERRUPTS: 1 (default), 0: windows are served in calls of MPI only
  bool networks;     ///< NETWORKS: 1 (default), 0: collective operations by messages only
  // Collective operations by messages.
  uint32_t bcast_binomial;       ///< BCAST_BINOMIAL: longest along a binomial tree; others in parts, by a ring
  uint32_t gather_binomial;      ///< GATHER_BINOMIAL: all blocks together, along a binomial tree; others straight
  uint32_t allgather_doubling;   ///< ALLGATHER_DOUBLING: all blocks together; others by a ring
  uint32_t allreduce_doubling;   ///< ALLREDUCE_DOUBLING: longest by recursive doubling; others in halves
  uint32_t reduce_scatter_root;  ///< REDUCE_SCATTER_ROOT: most by way of rank 0; others in pairs
} mpii_limits_t;

const mpii_limits_t* mpii_limits(void);

/// Read the variables. Ends the job if a value is not allowed.
void mpii_environment_init(void);

#endif
