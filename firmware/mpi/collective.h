/* SPDX-License-Identifier: Apache-2.0 */
/* What collective operations share. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_COLLECTIVE_H
#define TOROID_FIRMWARE_MPI_COLLECTIVE_H

#include "firmware/mpi/schedule.h"

/* What the messages of collective operations are of. A message's tag has the number of the call on its communicator as
 * well (bglmpi_call_schedule()): a call that meets another operation's, or another call's, never matches. */
typedef enum {
  BGLMPI_TAG_AGREE,
  BGLMPI_TAG_BARRIER,
  BGLMPI_TAG_BCAST,
  BGLMPI_TAG_GATHER,
  BGLMPI_TAG_SCATTER,
  BGLMPI_TAG_ALLGATHER,
  BGLMPI_TAG_ALLTOALL,
  BGLMPI_TAG_REDUCE,
  BGLMPI_TAG_ALLREDUCE,
  BGLMPI_TAG_REDUCE_SCATTER,
  BGLMPI_TAG_SCAN,
  BGLMPI_TAG_INTERCOMM,
  BGLMPI_TAG_NEIGHBOURS,
  BGLMPI_TAG_DUPLICATE,
  BGLMPI_TAGS
} bglmpi_collective_tag_t;
enum { BGLMPI_TAG_BITS = 4 };
_Static_assert(BGLMPI_TAGS <= 1 << BGLMPI_TAG_BITS, "the call's number begins above");

/* The greatest of the numbers of all members of an intracommunicator, at all of them. */
uint32_t bglmpi_agree_max(bglmpi_comm_t* comm, uint32_t number);

/* A call of a collective operation. */
typedef struct {
  bglmpi_comm_t* comm;
  bglmpi_collective_tag_t operation;
  MPI_Request* request; /* where the request of a non-blocking call is returned; NULL: a blocking one */
} bglmpi_call_t;

/* Begin one: BGLMPI_TRY(bglmpi_enter_collective("MPI_Ibcast", handle, BGLMPI_TAG_BCAST, &request, &call)). `request`
 * is NULL for a blocking call; a non-blocking one that the program has given a null pointer is refused. Nothing has
 * happened yet: the call may be refused for its other arguments and made again. */
int bglmpi_enter_collective(const char* function, MPI_Comm handle, bglmpi_collective_tag_t operation,
                            MPI_Request* const* request, bglmpi_call_t* call);

/* The call's arguments are right and messages will do what it asks for: an empty schedule for them, with the call's
 * number on the communicator. Calls that are refused, or done by the machine's networks at all processes, do not count:
 * processes agree on the numbers however often one of them had a call refused. */
bglmpi_schedule_t* bglmpi_call_schedule(const bglmpi_call_t* call);

/* Who a process is in an operation with a root. */
typedef enum {
  BGLMPI_IS_ROOT,
  BGLMPI_IS_OTHER,    /* deals with the root */
  BGLMPI_IS_ROOTLESS, /* in the root's group of an intercommunicator: has no part */
} bglmpi_role_t;
int bglmpi_check_root(bglmpi_comm_t* comm, int root, bglmpi_role_t* role);

/* A buffer as bglmpi_check_buffer() has it; MPI_IN_PLACE is wrong. */
int bglmpi_check_plain(bglmpi_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                       bglmpi_datatype_t** datatype);

/* Buffers of a reduction, datatype and operation, where MPI_IN_PLACE is right as `send` if `in_place` says so; *send
 * becomes `receive` then. `receive` is not looked at where it has no part: receives == false. */
int bglmpi_check_reduction(bglmpi_comm_t* comm, const void** send, void* receive, int count, MPI_Datatype handle,
                           MPI_Op op_handle, bool in_place, bool receives, bglmpi_datatype_t** datatype,
                           bglmpi_op_t** op);

/* MPI_ERR_BUFFER where both are the same buffer with something in it. */
int bglmpi_check_apart(bglmpi_comm_t* comm, const void* send, const void* receive, uint32_t count);

/* Parts of schedules, on intracommunicators. Each ends with a round. -------------------------------------------- */

void bglmpi_plan_barrier(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm);
void bglmpi_plan_bcast(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, void* buffer, uint32_t count,
                       bglmpi_datatype_t* datatype, int root);
/* To `receive` of the root; `send` may be the same there. */
void bglmpi_plan_reduction(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, void* receive,
                           uint32_t count, bglmpi_datatype_t* datatype, bglmpi_op_t* op, int root);
/* counts[r] elements, which lie one behind the other in rank order at `send` of the root, to `receive` of rank r. */
void bglmpi_plan_deal(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, const int* counts,
                      void* receive, bglmpi_datatype_t* datatype, int root);

/* The machine's networks. ---------------------------------------------------------------------------------------
 * Each returns whether it has done the operation; all processes get the same answer, from arguments that are the same
 * at all. Only blocking calls use them. Nothing but the environment is asked where counts are zero. */

bool bglmpi_network_barrier(const bglmpi_call_t* call);
bool bglmpi_network_bcast(const bglmpi_call_t* call, void* buffer, uint32_t count, const bglmpi_datatype_t* datatype,
                          int root);
bool bglmpi_network_reduction_fits(const bglmpi_call_t* call, uint32_t count, const bglmpi_datatype_t* datatype,
                                   const bglmpi_op_t* op);
/* To all where root is -1. */
bool bglmpi_network_reduction(const bglmpi_call_t* call, const void* send, void* receive, uint32_t count,
                              bglmpi_datatype_t* datatype, const bglmpi_op_t* op, int root);
/* Blocks of all ranks, packed, one behind the other in rank order; this process's is in its place already. */
bool bglmpi_network_allgather_fits(const bglmpi_call_t* call, uint64_t bytes);
void bglmpi_network_allgather(uint8_t* blocks, const uint32_t* sizes, uint32_t bytes);
/* `bytes` packed bytes to each rank and from each. */
bool bglmpi_network_alltoall_fits(const bglmpi_call_t* call, uint64_t bytes);
void bglmpi_network_alltoall(const void* send, void* receive, uint32_t bytes);

#endif
