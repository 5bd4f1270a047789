// SPDX-License-Identifier: Apache-2.0
/// The transport of Blue Gene/P: MPI on DCMF. For its own files.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGP_BGP_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGP_BGP_H

#include <dcmf.h>

#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

/// The values of environment variables, whose names follow mpit_prefix.
typedef struct {
  /// EAGER: the longest message, in bytes without its head, that is sent without being asked for. By default what DCMF
  /// is told by DCMF_EAGER, else 1200 bytes, as the real library's.
  uint32_t eager;
  // Collective operations of all processes, by DCMF's global operations.
  uint32_t bcast_tree;      ///< BCAST_TREE: longest broadcast
  uint32_t reduce_tree;     ///< REDUCE_TREE: longest reduction
  uint32_t sum_tree;        ///< SUM_TREE: longest sum of doubles
  uint32_t allgather_tree;  ///< ALLGATHER_TREE: all blocks together
} mpit_bgp_limits_t;

extern mpit_bgp_limits_t mpit_bgp_limits;
void mpit_bgp_limits_init(void);

/// All memory of this process, so that offsets are addresses.
extern DCMF_Memregion_t mpit_bgp_memory;

/// Register what carries messages.
void mpit_bgp_messages_init(void);

/// Register the operations of all processes.
void mpit_bgp_networks_init(void);

/// Register what other processes' memory is accessed by.
void mpit_bgp_remote_memory_init(void);

/// An access to another process's memory.
typedef struct {
  DCMF_Request_t request;
  mpit_done_t done;
  void* context;
} mpit_bgp_access_t;

/// Calls of DCMF fail only if their arguments are wrong: end the job then.
static inline void mpit_bgp_check(DCMF_Result result, const char* call) {
  if (result != DCMF_SUCCESS) mpii_end("%s fails with result %d", call, (int)result);
}

#endif
