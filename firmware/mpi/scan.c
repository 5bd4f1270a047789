// SPDX-License-Identifier: Apache-2.0
// MPI_Scan() and MPI_Exscan(): recursive doubling, in rank order.
#include "firmware/mpi/collective.h"

/// Pairs at doubling distances exchange what their neighbourhoods make together; the upper one puts it before its
/// result. `exclusive`: without a process's own operand; rank 0's result is not touched then.
static void plan_scan(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, void* receive, uint32_t count,
                      bglmpi_datatype_t* datatype, bglmpi_op_t* op, bool exclusive) {
  void* all = bglmpi_schedule_elements(schedule, count, datatype);  // what this neighbourhood makes
  void* in = bglmpi_schedule_elements(schedule, count, datatype);
  bool begun = !exclusive;
  bglmpi_plan_copy(schedule, send, count, datatype, all, count, datatype);
  if (!exclusive) bglmpi_plan_copy(schedule, send, count, datatype, receive, count, datatype);
  for (int bit = 1; bit < comm->size; bit *= 2) {
    const int peer = comm->rank ^ bit;
    if (peer >= comm->size) continue;
    bglmpi_plan_receive(schedule, comm, in, count, datatype, peer);
    bglmpi_plan_send(schedule, comm, all, count, datatype, peer);
    bglmpi_plan_round(schedule);
    if (peer < comm->rank) {
      if (begun) {
        bglmpi_plan_reduce(schedule, in, receive, count, datatype, op);
      } else {
        bglmpi_plan_copy(schedule, in, count, datatype, receive, count, datatype);
        begun = true;
      }
      bglmpi_plan_reduce(schedule, in, all, count, datatype, op);
    } else {  // all op in, which gives it the place of the other
      bglmpi_plan_reduce(schedule, all, in, count, datatype, op);
      void* const other = all;
      all = in;
      in = other;
    }
  }
}

static int scan(const char* function, const void* send, void* receive, int count, MPI_Datatype handle, MPI_Op op_handle,
                MPI_Comm comm_handle, bool exclusive, MPI_Request* const* request) {
  bglmpi_call_t call;
  bglmpi_datatype_t* datatype;
  bglmpi_op_t* op;
  BGLMPI_TRY(bglmpi_enter_collective(function, comm_handle, BGLMPI_TAG_SCAN, request, &call));
  if (bglmpi_is_inter(call.comm)) {
    return bglmpi_fail(call.comm, MPI_ERR_COMM, "an intercommunicator; it must be an intracommunicator");
  }
  BGLMPI_TRY(bglmpi_check_reduction(call.comm, &send, receive, count, handle, op_handle, true, true, &datatype, &op));
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(&call);
  const uint32_t elements = (uint32_t)count;
  if (elements * datatype->size != 0) {
    plan_scan(schedule, call.comm, send, receive, elements, datatype, op, exclusive);
  }
  return bglmpi_schedule_run(schedule, call.request);
}

int PMPI_Scan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Scan", send, receive, count, datatype, op, comm, false, NULL);
}
BGLMPI_PUBLIC(Scan);

int PMPI_Iscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
               MPI_Request* request) {
  return scan("MPI_Iscan", send, receive, count, datatype, op, comm, false, &request);
}
BGLMPI_PUBLIC(Iscan);

int PMPI_Exscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return scan("MPI_Exscan", send, receive, count, datatype, op, comm, true, NULL);
}
BGLMPI_PUBLIC(Exscan);

int PMPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                 MPI_Request* request) {
  return scan("MPI_Iexscan", send, receive, count, datatype, op, comm, true, &request);
}
BGLMPI_PUBLIC(Iexscan);
