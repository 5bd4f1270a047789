// SPDX-License-Identifier: Apache-2.0
// MPI_Scan() and MPI_Exscan(): recursive doubling, in rank order.
#include "firmware/mpi/collective.h"

/// Pairs at doubling distances exchange what their neighbourhoods make together; the upper one puts it before its
/// result. `exclusive`: without a process's own operand; rank 0's result is not touched then.
static void plan_scan(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                      mpii_datatype_t* datatype, mpii_op_t* op, bool exclusive) {
  void* all = mpii_schedule_elements(schedule, count, datatype);  // what this neighbourhood makes
  void* in = mpii_schedule_elements(schedule, count, datatype);
  bool begun = !exclusive;
  mpii_plan_copy(schedule, send, count, datatype, all, count, datatype);
  if (!exclusive) mpii_plan_copy(schedule, send, count, datatype, receive, count, datatype);
  for (int bit = 1; bit < comm->size; bit *= 2) {
    const int peer = comm->rank ^ bit;
    if (peer >= comm->size) continue;
    mpii_plan_receive(schedule, comm, in, count, datatype, peer);
    mpii_plan_send(schedule, comm, all, count, datatype, peer);
    mpii_plan_round(schedule);
    if (peer < comm->rank) {
      if (begun) {
        mpii_plan_reduce(schedule, in, receive, count, datatype, op);
      } else {
        mpii_plan_copy(schedule, in, count, datatype, receive, count, datatype);
        begun = true;
      }
      mpii_plan_reduce(schedule, in, all, count, datatype, op);
    } else {  // all op in, which gives it the place of the other
      mpii_plan_reduce(schedule, all, in, count, datatype, op);
      void* const other = all;
      all = in;
      in = other;
    }
  }
}

static int scan(const char* function, const void* send, void* receive, int count, MPI_Datatype handle, MPI_Op op_handle,
                MPI_Comm comm_handle, bool exclusive, MPI_Request* const* request) {
  mpii_call_t call;
  mpii_datatype_t* datatype;
  mpii_op_t* op;
  MPII_TRY(mpii_enter_collective(function, comm_handle, MPII_TAG_SCAN, request, &call));
  if (mpii_is_inter(call.comm)) {
    return mpii_fail(call.comm, MPI_ERR_COMM, "an intercommunicator; it must be an intracommunicator");
  }
  MPII_TRY(mpii_check_reduction(call.comm, &send, receive, count, handle, op_handle, true, true, &datatype, &op));
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  const uint32_t elements = (uint32_t)count;
  if (elements * datatype->size != 0) {
    plan_scan(schedule, call.comm, send, receive, elements, datatype, op, exclusive);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Scan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Scan", send, receive, count, datatype, op, comm, false, NULL);
}
MPII_PUBLIC(Scan);

int PMPI_Iscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request* request) {
  return scan("MPI_Iscan", send, receive, count, datatype, op, comm, false, &request);
}
MPII_PUBLIC(Iscan);

int PMPI_Exscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Exscan", send, receive, count, datatype, op, comm, true, NULL);
}
MPII_PUBLIC(Exscan);

int PMPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request* request) {
  return scan("MPI_Iexscan", send, receive, count, datatype, op, comm, true, &request);
}
MPII_PUBLIC(Iexscan);
