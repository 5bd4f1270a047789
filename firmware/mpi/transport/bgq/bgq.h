// SPDX-License-Identifier: Apache-2.0
/// The transport of Blue Gene/Q: MPI on PAMI. For its own files.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_BGQ_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_BGQ_H

#include <pami.h>

#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

/// Whether PAMI's thread serves the process, between mpit_serve_begin() and mpit_serve_end().
bool mpit_bgq_served(void);

/// The values of environment variables, whose names follow mpit_prefix.
typedef struct {
  /// EAGER: the longest message, in bytes without its head, that is sent without being asked for. By default what the
  /// real library is told by PAMID_EAGER and its other names, else 2048 bytes.
  uint32_t eager;
  // Collective operations of all processes, by class routes: the longest, in bytes.
  uint32_t bcast_route;      ///< BCAST_ROUTE
  uint32_t reduce_route;     ///< REDUCE_ROUTE
  uint32_t allgather_route;  ///< ALLGATHER_ROUTE: all blocks together
  uint32_t part_routes;      ///< PART_ROUTES: 1, parts of the job have class routes of their own; 0: they have not
} mpit_bgq_limits_t;

extern mpit_bgq_limits_t mpit_bgq_limits;
/// `most`: bytes that PAMI sends immediately.
void mpit_bgq_limits_init(size_t most);

/// Set dispatches: of messages, and of other processes' memory.
void mpit_bgq_messages_init(void);
void mpit_bgq_remote_memory_init(void);

/// Whether PAMI has not yet taken over all messages that were sent.
bool mpit_bgq_is_sending(void);

/// A way to perform an operation.
typedef struct {
  pami_algorithm_t algorithm;   ///< 0: there is none
  pami_metadata_function fits;  ///< NULL: always
} mpit_bgq_way_t;

/// Those of a geometry by the network's units.
typedef struct {
  mpit_bgq_way_t barrier, broadcast, allreduce, reduce;
} mpit_bgq_ways_t;

mpit_bgq_ways_t mpit_bgq_ways(pami_geometry_t geometry);

struct mpit_part {
  mpit_bgq_ways_t ways;
  pami_geometry_t geometry;
  pami_task_t* tasks;
  volatile uint32_t ended;  ///< at all processes
  struct mpit_part* next;   ///< of those that this process has ended
};

/// Find how the operations of all processes are performed.
void mpit_bgq_networks_init(void);

/// Set a dispatch, whose functions are called in the order of messages. `hints` are those beside this.
void mpit_bgq_dispatch(size_t number, pami_dispatch_p2p_function function, void* cookie, pami_dispatch_hint_t hints);

/// Memory of a process that the Messaging Unit reaches by one region: a segment, as the kernel maps it.
typedef struct {
  uintptr_t base;
  size_t bytes;
  pami_memregion_t memory;
} mpit_bgq_region_t;

static inline bool mpit_bgq_holds(const mpit_bgq_region_t* region, uintptr_t address, size_t bytes) {
  return address >= region->base && bytes <= region->bytes && address - region->base <= region->bytes - bytes;
}

/// This process's region that holds these bytes; NULL: they are not in memory of the process.
mpit_bgq_region_t* mpit_bgq_region(uintptr_t address, size_t bytes);

static inline pami_rma_mr_t mpit_bgq_in(mpit_bgq_region_t* region, uintptr_t address) {
  return (pami_rma_mr_t){.mr = &region->memory, .offset = address - region->base};
}

/// An access to another process's memory.
typedef struct {
  mpit_done_t done;
  void* context;
  uint64_t operand, compare, before;  ///< of an atomic operation
} mpit_bgq_access_t;

static inline uint32_t mpit_bgq_task(pami_endpoint_t endpoint) {
  pami_task_t task;
  size_t offset;
  PAMI_Endpoint_query(endpoint, &task, &offset);
  (void)offset;
  return task;
}

#endif
