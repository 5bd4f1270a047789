/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The algorithms: a table of methods, and the functions that describe an operation as steps. These return PAMI_INVAL
 * if the arguments make no sense. Tags of an operation's messages are the describing function's own.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_METHODS_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_METHODS_H

#include "firmware/bgq/pami/collective/schedule.h"

/* What a client sees of a method in its metadata, beside the name. */
enum {
  PAMI_METHOD_INPLACE = 1,  /* send and receive buffers may be the same */
  PAMI_METHOD_ASYNC = 2,    /* a member may run ahead of others, which then keep its data */
  PAMI_METHOD_HARDWARE = 4, /* uses the network's collective unit or interrupts */
  PAMI_METHOD_ONE = 8,      /* operations of one kind go one behind the other */
  PAMI_METHOD_QUERY = 16,   /* in the list of those that must be queried */
  PAMI_METHOD_ALL_OPS = 32  /* all types and operations that have a meaning together */
};

typedef struct pami_method {
  pami_xfer_type_t type;
  const char* name;
  unsigned flags;
  /* Exactly one of these two: what starts an operation, or describes it as steps. */
  pami_result_t (*start)(pami_context_impl_t* context, pami_geometry_impl_t* geometry, const pami_xfer_t* xfer);
  pami_result_t (*describe)(pami_schedule_t* schedule, const pami_collective_t* command);
  bool (*offered)(const pami_geometry_impl_t* geometry); /* NULL: for all geometries */
  pami_metadata_function check;
  size_t range_lo, range_hi; /* bytes; rangeminmax if range_hi */
  unsigned align;            /* of buffers, for hardware; 0: any */
} pami_method_t;

extern const pami_method_t pami_methods[];
extern const unsigned pami_method_count;

/* Steps of a barrier among all of the schedule's members. */
void pami_dissemination(pami_schedule_t* schedule);

/* Buffers: contiguous memory with the data of a program's buffer, which is the buffer itself where that is contiguous.
 * pami_outgoing() has the steps bring the data there; pami_deliver() has them put it where the program wants it. */
void* pami_outgoing(pami_schedule_t* schedule, const void* base, pami_type_t type, size_t bytes);
void* pami_incoming(pami_schedule_t* schedule, void* base, pami_type_t type, size_t bytes);
void pami_deliver(pami_schedule_t* schedule, void* base, pami_type_t type, const void* place, size_t bytes);

/* Whether the type can be used; sets the bytes of `count` elements. */
bool pami_bytes(pami_type_t type, size_t count, size_t* bytes);

/* The rank of a root; PAMI_NO_RANK: not a member. */
uint32_t pami_root(const pami_schedule_t* schedule, pami_endpoint_t root);

/* What a reduction works on. */
typedef struct pami_reduction {
  pami_type_t type; /* whose elements are combined */
  size_t bytes;     /* of each contribution */
  size_t grain;     /* of an element; contributions are cut between these */
  bool commutative;
} pami_reduction_t;
/* Sets it, and what the schedule's combinations do. PAMI_INVAL: the operation has no meaning for the types. */
pami_result_t pami_reduction(pami_schedule_t* schedule, pami_reduction_t* reduction, pami_type_t stype, size_t count,
                             pami_type_t rtype, pami_data_function op, void* cookie, int commutative);

/* What `lower` and `higher` combine to, the sums of neighbouring groups of members in the order of ranks. It lies where
 * `higher` was; the sum of lower ranks is a data function's source. */
static inline void pami_combine_higher(pami_schedule_t* schedule, const pami_reduction_t* reduction, const void* lower,
                                       void* higher) {
  pami_combine_step(schedule, higher, lower, reduction->bytes, reduction->type);
}

pami_result_t pami_describe_barrier(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_broadcast(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_broadcast_ring(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_reduce(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allreduce(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allreduce_ring(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_reduce_scatter(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_scan(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_gather(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_gatherv(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_gatherv_int(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_scatter(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_scatterv(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_scatterv_int(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allgather(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allgather_bruck(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allgatherv(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_allgatherv_int(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_alltoall(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_alltoallv(pami_schedule_t* schedule, const pami_collective_t* command);
pami_result_t pami_describe_alltoallv_int(pami_schedule_t* schedule, const pami_collective_t* command);

/* Active-message collectives (active.c). */
void pami_active_attach(pami_context_impl_t* context);
void pami_active_detach(pami_collectives_t* collectives);
pami_result_t pami_start_ambroadcast(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                     const pami_xfer_t* xfer);
pami_result_t pami_start_amscatter(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                   const pami_xfer_t* xfer);
pami_result_t pami_start_amgather(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                  const pami_xfer_t* xfer);
pami_result_t pami_start_amreduce(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                  const pami_xfer_t* xfer);

#endif
