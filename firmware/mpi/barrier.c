// SPDX-License-Identifier: Apache-2.0
// MPI_Barrier(): over the global interrupts, or by dissemination.
#include "firmware/mpi/collective.h"

void mpii_plan_barrier(mpii_schedule_t* schedule, mpii_comm_t* comm) {
  for (int step = 1; step < comm->size; step *= 2) {
    const int to = (comm->rank + step) % comm->size, from = (comm->rank + comm->size - step) % comm->size;
    mpii_plan_receive_packed(schedule, comm, NULL, 0, MPII_RAW, from);
    mpii_plan_send_packed(schedule, comm, NULL, 0, MPII_RAW, to);
    mpii_plan_round(schedule);
  }
}

static int barrier(const char* function, MPI_Comm handle, MPI_Request* const* request) {
  mpii_call_t call;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_BARRIER, request, &call));
  if (mpii_network_barrier(&call)) return MPI_SUCCESS;
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  mpii_comm_t* comm = call.comm;
  if (!mpii_is_inter(comm)) {
    mpii_plan_barrier(schedule, comm);
  } else {  // a group's barrier; the roots inform each other; the group's barrier again
    mpii_plan_barrier(schedule, comm->local);
    if (comm->rank == 0) {
      mpii_plan_receive_packed(schedule, comm, NULL, 0, MPII_RAW, 0);
      mpii_plan_send_packed(schedule, comm, NULL, 0, MPII_RAW, 0);
      mpii_plan_round(schedule);
    }
    mpii_plan_barrier(schedule, comm->local);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Barrier(MPI_Comm comm) {
  return barrier("MPI_Barrier", comm, NULL);
}
MPII_PUBLIC(Barrier);

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return barrier("MPI_Ibarrier", comm, &request);
}
MPII_PUBLIC(Ibarrier);
