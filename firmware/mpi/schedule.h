// SPDX-License-Identifier: Apache-2.0
/// Collective operations as schedules: the messages, copies and reductions of a process, in rounds. A schedule is
/// built completely before it runs: whenever the last message of a round is complete the next round begins, inside the
/// transport's callbacks. So blocking and non-blocking operations are the same schedules, and an
/// operation on an intercommunicator is made of those on its groups. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_SCHEDULE_H
#define TOROID_FIRMWARE_MPI_SCHEDULE_H

#include "firmware/mpi/op.h"
#include "firmware/mpi/request.h"

typedef struct mpii_schedule mpii_schedule_t;

/// An empty schedule for a call on a communicator. `tag` is that of all its messages.
mpii_schedule_t* mpii_schedule_new(mpii_comm_t* comm, int tag);

/// Memory for as long as the schedule runs: bytes; or `count` elements, whose address is returned as a buffer's.
void* mpii_schedule_bytes(mpii_schedule_t* schedule, size_t bytes);
void* mpii_schedule_elements(mpii_schedule_t* schedule, uint32_t count, const mpii_datatype_t* datatype);

/// Add to the round that is being built. Its steps begin in this order; copies and reductions are done at once,
/// before any message of the same round is received. Datatypes and operations are kept as long as needed.
void mpii_plan_send(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* buffer, uint32_t count,
                    mpii_datatype_t* datatype, int peer);
void mpii_plan_receive(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                       mpii_datatype_t* datatype, int peer);
/// The same for elements of kind `basic` that were packed: the other side may have them in any datatype of the kind.
void mpii_plan_send_packed(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* buffer, uint32_t bytes,
                           mpii_basic_t basic, int peer);
void mpii_plan_receive_packed(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t bytes,
                              mpii_basic_t basic, int peer);
/// Copy between buffers with the same number of bytes.
void mpii_plan_copy(mpii_schedule_t* schedule, const void* from, uint32_t from_count, mpii_datatype_t* from_type,
                    void* to, uint32_t to_count, mpii_datatype_t* to_type);
void mpii_plan_pack(mpii_schedule_t* schedule, const void* from, uint32_t count, mpii_datatype_t* datatype,
                    void* packed);
void mpii_plan_unpack(mpii_schedule_t* schedule, const void* packed, void* to, uint32_t count,
                      mpii_datatype_t* datatype);
/// inout = in op inout.
void mpii_plan_reduce(mpii_schedule_t* schedule, const void* in, void* inout, uint32_t count, mpii_datatype_t* datatype,
                      mpii_op_t* op);

/// End the round: what is added from now on begins when all before it is complete.
void mpii_plan_round(mpii_schedule_t* schedule);

/// Run it. Blocking if `request` is NULL: returns the operation's error when it is complete. Otherwise the request
/// of a non-blocking call is returned there. The schedule frees itself.
int mpii_schedule_run(mpii_schedule_t* schedule, MPI_Request* request);

/// A request of a schedule is complete: called by the transport.
void mpii_schedule_progress(mpii_schedule_t* schedule, const mpii_request_t* done);

/// Record what a schedule waits for, while it runs, for the report of a job that does not end.
void mpii_schedule_describe(const mpii_schedule_t* schedule, const char* call, const char* comm);

/// The address of element `index` of a buffer of `count` elements.
static inline void* mpii_element(const void* buffer, MPI_Aint index, const mpii_datatype_t* datatype) {
  return (uint8_t*)(uintptr_t)buffer + index * datatype->extent;
}

#endif
