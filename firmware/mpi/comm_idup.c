// SPDX-License-Identifier: Apache-2.0
// MPI_Comm_idup(): a duplicate whose context its members learn without anybody waiting.
#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/topology.h"
#include "firmware/mpi/transport.h"

// Members who do not wait for each other cannot agree on a number that is free at all of them: it may be taken before
// all know of it. So one process gives the number: the first of the group, in an intercommunicator the one of the two
// firsts with the lower rank.

/// From the one who gives it to all of both groups.
static void plan_spread(mpii_schedule_t* schedule, mpii_comm_t* comm, uint32_t* contexts, uint32_t count) {
  mpii_datatype_t* number = mpii_object(MPI_UNSIGNED, MPII_DATATYPE);
  mpii_comm_t* own = comm;
  bool gives = comm->rank == 0;
  if (mpii_is_inter(comm)) {
    own = comm->local;
    const bool our_group = comm->group->ranks[0] < comm->remote->ranks[0];
    if (gives && our_group) mpii_plan_send(schedule, comm, contexts, count, number, 0);
    if (gives && !our_group) {
      mpii_plan_receive(schedule, comm, contexts, count, number, 0);
      mpii_plan_round(schedule);
    }
    gives = gives && our_group;
  }
  if (gives) {
    contexts[0] = mpii_give_context();
    contexts[1] = contexts[0] + 2;
  }
  mpii_plan_bcast(schedule, own, contexts, count, number, 0);
}

static int duplicate(const mpii_call_t* call, const struct mpii_info* info, MPI_Comm* made) {
  enum { COUNT = 2 };  // the communicator's context, and that of an intercommunicator's local one
  mpii_comm_t* comm = call->comm;
  mpii_schedule_t* schedule = mpii_call_schedule(call);
  uint32_t* contexts = mpii_schedule_bytes(schedule, COUNT * sizeof *contexts);
  plan_spread(schedule, comm, contexts, COUNT);

  mpii_group_t* group = mpii_retain(comm->group);
  mpii_comm_t* copy = mpii_is_inter(comm) ? mpii_intercomm_new(group, mpii_retain(comm->remote), 0, comm)
                                          : mpii_comm_new(group, 0, comm);
  mpii_network_share(copy, comm);
  const int error = mpii_attributes_copy(comm->object.handle, comm->attributes, &copy->attributes);
  if (error != MPI_SUCCESS) {
    // The others get their number all the same.
    mpii_schedule_run(schedule, call->request);
    PMPI_Request_free(call->request);
    mpii_comm_close(copy);
    return error;
  }
  mpii_datatype_t* number = mpii_object(MPI_UNSIGNED, MPII_DATATYPE);
  mpii_plan_copy(schedule, &contexts[0], 1, number, &copy->context, 1, number);
  if (copy->local != NULL) mpii_plan_copy(schedule, &contexts[1], 1, number, &copy->local->context, 1, number);
  if (comm->topology != NULL) copy->topology = mpii_topology_copy(comm->topology);
  copy->info = mpii_info_copy(info != NULL ? info : comm->info);
  *made = copy->object.handle;
  return mpii_schedule_run(schedule, call->request);
}

int PMPI_Comm_idup(MPI_Comm handle, MPI_Comm* made, MPI_Request* request) {
  mpii_call_t call;
  MPII_TRY(mpii_enter_collective("MPI_Comm_idup", handle, MPII_TAG_DUPLICATE, &request, &call));
  MPII_TRY(mpii_check_given(call.comm, made, "made"));
  *made = MPI_COMM_NULL;
  return duplicate(&call, NULL, made);
}
MPII_PUBLIC(Comm_idup);

int PMPI_Comm_idup_with_info(MPI_Comm handle, MPI_Info info_handle, MPI_Comm* made, MPI_Request* request) {
  mpii_call_t call;
  struct mpii_info* info = NULL;
  MPII_TRY(mpii_enter_collective("MPI_Comm_idup_with_info", handle, MPII_TAG_DUPLICATE, &request, &call));
  MPII_TRY(mpii_check_given(call.comm, made, "made"));
  *made = MPI_COMM_NULL;
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(call.comm, info_handle, &info));
  return duplicate(&call, info, made);
}
MPII_PUBLIC(Comm_idup_with_info);
