// SPDX-License-Identifier: Apache-2.0
// MPI_Barrier(): over the global interrupts, or by dissemination.
#include "firmware/mpi/collective.h"

void bglmpi_plan_barrier(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm) {
  for (int step = 1; step < comm->size; step *= 2) {
    const int to = (comm->rank + step) % comm->size, from = (comm->rank + comm->size - step) % comm->size;
    bglmpi_plan_receive_packed(schedule, comm, NULL, 0, BGLMPI_RAW, from);
    bglmpi_plan_send_packed(schedule, comm, NULL, 0, BGLMPI_RAW, to);
    bglmpi_plan_round(schedule);
  }
}

static int barrier(const char* function, MPI_Comm handle, MPI_Request* const* request) {
  bglmpi_call_t call;
  BGLMPI_TRY(bglmpi_enter_collective(function, handle, BGLMPI_TAG_BARRIER, request, &call));
  if (bglmpi_network_barrier(&call)) return MPI_SUCCESS;
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(&call);
  bglmpi_comm_t* comm = call.comm;
  if (!bglmpi_is_inter(comm)) {
    bglmpi_plan_barrier(schedule, comm);
  } else {  // a group is there, tells the other, and hears that that is there
    bglmpi_plan_barrier(schedule, comm->local);
    if (comm->rank == 0) {
      bglmpi_plan_receive_packed(schedule, comm, NULL, 0, BGLMPI_RAW, 0);
      bglmpi_plan_send_packed(schedule, comm, NULL, 0, BGLMPI_RAW, 0);
      bglmpi_plan_round(schedule);
    }
    bglmpi_plan_barrier(schedule, comm->local);
  }
  return bglmpi_schedule_run(schedule, call.request);
}

int PMPI_Barrier(MPI_Comm comm) {
  return barrier("MPI_Barrier", comm, NULL);
}
BGLMPI_PUBLIC(Barrier);

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return barrier("MPI_Ibarrier", comm, &request);
}
BGLMPI_PUBLIC(Ibarrier);
