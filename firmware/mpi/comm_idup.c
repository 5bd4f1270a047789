// SPDX-License-Identifier: Apache-2.0
// MPI_Comm_idup(): a duplicate whose context its members learn without anybody waiting.
#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/topology.h"

// Members who do not wait for each other cannot agree on a number that is free at all of them: it may be taken before
// all know of it. So one process gives the number, out of those that nobody else gives: the first of the group, in an
// intercommunicator the one of the two firsts with the lower rank. Contexts that are agreed on begin at 0.
enum { CONTEXTS = 4 };  // of one communicator, as bglmpi_agree_context() has it
static const uint32_t given = 0x80000000u;

static uint32_t give_context(void) {
  static uint32_t so_far;
  const uint64_t offset = ((uint64_t)so_far++ * bglml_size() + bglml_rank()) * CONTEXTS;
  if (offset >= given) bglmpi_end("no context is left: this process has begun %u duplicates", so_far - 1);
  return given + (uint32_t)offset;
}

/// From the one who gives it to all of both groups.
static void plan_spread(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, uint32_t* contexts, uint32_t count) {
  bglmpi_datatype_t* number = bglmpi_object(MPI_UNSIGNED, BGLMPI_DATATYPE);
  bglmpi_comm_t* own = comm;
  bool gives = comm->rank == 0;
  if (bglmpi_is_inter(comm)) {
    own = comm->local;
    const bool our_group = comm->group->ranks[0] < comm->remote->ranks[0];
    if (gives && our_group) bglmpi_plan_send(schedule, comm, contexts, count, number, 0);
    if (gives && !our_group) {
      bglmpi_plan_receive(schedule, comm, contexts, count, number, 0);
      bglmpi_plan_round(schedule);
    }
    gives = gives && our_group;
  }
  if (gives) {
    contexts[0] = give_context();
    contexts[1] = contexts[0] + CONTEXTS / 2;
  }
  bglmpi_plan_bcast(schedule, own, contexts, count, number, 0);
}

static int duplicate(const bglmpi_call_t* call, const struct bglmpi_info* info, MPI_Comm* made) {
  enum { COUNT = 2 };  // the communicator's context, and that of an intercommunicator's local one
  bglmpi_comm_t* comm = call->comm;
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(call);
  uint32_t* contexts = bglmpi_schedule_bytes(schedule, COUNT * sizeof *contexts);
  plan_spread(schedule, comm, contexts, COUNT);

  bglmpi_group_t* group = bglmpi_retain(comm->group);
  bglmpi_comm_t* copy = bglmpi_is_inter(comm) ? bglmpi_intercomm_new(group, bglmpi_retain(comm->remote), 0, comm)
                                              : bglmpi_comm_new(group, 0, comm);
  const int error = bglmpi_attributes_copy(comm->object.handle, comm->attributes, &copy->attributes);
  if (error != MPI_SUCCESS) {
    // The others get their number all the same.
    bglmpi_schedule_run(schedule, call->request);
    PMPI_Request_free(call->request);
    bglmpi_comm_close(copy);
    return error;
  }
  bglmpi_datatype_t* number = bglmpi_object(MPI_UNSIGNED, BGLMPI_DATATYPE);
  bglmpi_plan_copy(schedule, &contexts[0], 1, number, &copy->context, 1, number);
  if (copy->local != NULL) bglmpi_plan_copy(schedule, &contexts[1], 1, number, &copy->local->context, 1, number);
  if (comm->topology != NULL) copy->topology = bglmpi_topology_copy(comm->topology);
  copy->info = bglmpi_info_copy(info != NULL ? info : comm->info);
  *made = copy->object.handle;
  return bglmpi_schedule_run(schedule, call->request);
}

int PMPI_Comm_idup(MPI_Comm handle, MPI_Comm* made, MPI_Request* request) {
  bglmpi_call_t call;
  BGLMPI_TRY(bglmpi_enter_collective("MPI_Comm_idup", handle, BGLMPI_TAG_DUPLICATE, &request, &call));
  BGLMPI_TRY(bglmpi_check_given(call.comm, made, "made"));
  *made = MPI_COMM_NULL;
  return duplicate(&call, NULL, made);
}
BGLMPI_PUBLIC(Comm_idup);

int PMPI_Comm_idup_with_info(MPI_Comm handle, MPI_Info info_handle, MPI_Comm* made, MPI_Request* request) {
  bglmpi_call_t call;
  struct bglmpi_info* info = NULL;
  BGLMPI_TRY(bglmpi_enter_collective("MPI_Comm_idup_with_info", handle, BGLMPI_TAG_DUPLICATE, &request, &call));
  BGLMPI_TRY(bglmpi_check_given(call.comm, made, "made"));
  *made = MPI_COMM_NULL;
  if (info_handle != MPI_INFO_NULL) BGLMPI_TRY(bglmpi_info(call.comm, info_handle, &info));
  return duplicate(&call, info, made);
}
BGLMPI_PUBLIC(Comm_idup_with_info);
