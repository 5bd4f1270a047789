// SPDX-License-Identifier: Apache-2.0
/// Functions that collective operations share. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_COLLECTIVE_H
#define TOROID_FIRMWARE_MPI_COLLECTIVE_H

#include "firmware/mpi/schedule.h"

/// What the messages of collective operations are of. A message's tag has the number of the call on its communicator as
/// well (mpii_call_schedule()): a call that meets another operation's, or another call's, never matches.
typedef enum {
  MPII_TAG_AGREE,
  MPII_TAG_BARRIER,
  MPII_TAG_BCAST,
  MPII_TAG_GATHER,
  MPII_TAG_SCATTER,
  MPII_TAG_ALLGATHER,
  MPII_TAG_ALLTOALL,
  MPII_TAG_REDUCE,
  MPII_TAG_ALLREDUCE,
  MPII_TAG_REDUCE_SCATTER,
  MPII_TAG_SCAN,
  MPII_TAG_INTERCOMM,
  MPII_TAG_NEIGHBOURS,
  MPII_TAG_DUPLICATE,
  MPII_TAGS
} mpii_collective_tag_t;
enum { MPII_TAG_BITS = 4 };
_Static_assert(MPII_TAGS <= 1 << MPII_TAG_BITS, "the call's number begins above");

/// The greatest of the numbers of all members of an intracommunicator, at all of them.
uint32_t mpii_agree_max(mpii_comm_t* comm, uint32_t number);

/// A call of a collective operation.
typedef struct {
  mpii_comm_t* comm;
  mpii_collective_tag_t operation;
  MPI_Request* request;  ///< where the request of a non-blocking call is returned; NULL: a blocking one
} mpii_call_t;

/// Begin one: MPII_TRY(mpii_enter_collective("MPI_Ibcast", handle, MPII_TAG_BCAST, &request, &call)). `request` is NULL
/// for a blocking call; a non-blocking one that the program has given a null pointer is refused. Nothing has happened
/// yet: the call may be refused for its other arguments and made again.
int mpii_enter_collective(const char* function, MPI_Comm handle, mpii_collective_tag_t operation,
                          MPI_Request* const* request, mpii_call_t* call);

/// The call's arguments are right and messages will do what it asks for: an empty schedule for them, with the call's
/// number on the communicator. Calls that are refused, or done by the machine's networks at all processes, do not
/// count: processes agree on the numbers however often one of them had a call refused.
mpii_schedule_t* mpii_call_schedule(const mpii_call_t* call);

/// The role of a process in an operation with a root.
typedef enum {
  MPII_IS_ROOT,
  MPII_IS_OTHER,     ///< deals with the root
  MPII_IS_ROOTLESS,  ///< in the root's group of an intercommunicator: takes no part
} mpii_role_t;
int mpii_check_root(mpii_comm_t* comm, int root, mpii_role_t* role);

/// A buffer as mpii_check_buffer() has it; MPI_IN_PLACE is wrong.
int mpii_check_plain(mpii_comm_t* comm, const void* buffer, int count, MPI_Datatype handle, mpii_datatype_t** datatype);

/// Buffers of a reduction, datatype and operation, where MPI_IN_PLACE is right as `send` if `in_place` says so; *send
/// becomes `receive` then. `receive` is ignored if this process receives nothing: receives == false.
int mpii_check_reduction(mpii_comm_t* comm, const void** send, void* receive, int count, MPI_Datatype handle,
                         MPI_Op op_handle, bool in_place, bool receives, mpii_datatype_t** datatype, mpii_op_t** op);

/// MPI_ERR_BUFFER if both are the same buffer and it is not empty.
int mpii_check_apart(mpii_comm_t* comm, const void* send, const void* receive, uint32_t count);

// Parts of schedules, on intracommunicators. Each ends with a round. --------------------------------------------------

void mpii_plan_barrier(mpii_schedule_t* schedule, mpii_comm_t* comm);
void mpii_plan_bcast(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                     mpii_datatype_t* datatype, int root);
/// To `receive` of the root; `send` may be the same there.
void mpii_plan_reduction(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                         mpii_datatype_t* datatype, mpii_op_t* op, int root);
/// counts[r] elements, contiguous in rank order at `send` of the root, to `receive` of rank r.
void mpii_plan_deal(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, const int* counts, void* receive,
                    mpii_datatype_t* datatype, int root);

// The machine's networks. ---------------------------------------------------------------------------------------------
// Each returns whether it has done the operation; all processes get the same answer, from arguments that are the same
// at all. Only blocking calls use them. Nothing but the environment is asked where counts are zero.

/// A communicator of some processes has just been made, by all its members, in a call that may wait: it gets a part of
/// the networks if there is one for it.
void mpii_network_join(mpii_comm_t* comm);
/// It has the same group as another one, and the same part.
void mpii_network_share(mpii_comm_t* comm, const mpii_comm_t* with);
/// It is being freed.
void mpii_network_leave(mpii_comm_t* comm);

bool mpii_network_barrier(const mpii_call_t* call);
bool mpii_network_bcast(const mpii_call_t* call, void* buffer, uint32_t count, const mpii_datatype_t* datatype,
                        int root);
bool mpii_network_reduction_fits(const mpii_call_t* call, uint32_t count, const mpii_datatype_t* datatype,
                                 const mpii_op_t* op);
/// To all if `root` is -1.
bool mpii_network_reduction(const mpii_call_t* call, const void* send, void* receive, uint32_t count,
                            mpii_datatype_t* datatype, const mpii_op_t* op, int root);
/// Blocks of all ranks, packed and contiguous in rank order; this process's own is in place.
bool mpii_network_allgather_fits(const mpii_call_t* call, uint64_t bytes);
void mpii_network_allgather(const mpii_call_t* call, uint8_t* blocks, const uint32_t* sizes, uint32_t bytes);
/// `bytes` packed bytes to each rank and from each.
bool mpii_network_alltoall_fits(const mpii_call_t* call, uint64_t bytes);
void mpii_network_alltoall(const void* send, void* receive, uint32_t bytes);

#endif
