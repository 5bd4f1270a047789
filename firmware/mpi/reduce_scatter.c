// SPDX-License-Identifier: Apache-2.0
// MPI_Reduce_scatter() and MPI_Reduce_scatter_block().
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// The results to rank 0, and from there to whom they belong. Keeps the order.
static void by_root(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, void* receive,
                    const int* counts, uint32_t total, bglmpi_datatype_t* datatype, bglmpi_op_t* op) {
  // Not in `receive`: there is room for one block only.
  void* all = comm->rank == 0 ? bglmpi_schedule_elements(schedule, total, datatype) : NULL;
  bglmpi_plan_reduction(schedule, comm, send, all, total, datatype, op, 0);
  bglmpi_plan_deal(schedule, comm, all, counts, receive, datatype, 0);
}

/// Everybody gets its block's operands from all others, one after the other, and combines them itself: nothing is sent
/// twice. The order is not kept.
static void in_pairs(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, void* receive,
                     const int* counts, bglmpi_datatype_t* datatype, bglmpi_op_t* op) {
  const int size = comm->size, self = comm->rank;
  const uint32_t own = (uint32_t)counts[self];
  uint32_t* starts = bglmpi_schedule_bytes(schedule, (size_t)size * sizeof *starts);
  uint32_t sum = 0;
  for (int rank = 0; rank < size; ++rank) {
    starts[rank] = sum;
    sum += (uint32_t)counts[rank];
  }
  // The user's own block may lie where the result goes, and so may others that have not been sent.
  void* result = send == receive ? bglmpi_schedule_elements(schedule, own, datatype) : receive;
  void* in = bglmpi_schedule_elements(schedule, own, datatype);
  bglmpi_plan_copy(schedule, bglmpi_element(send, starts[self], datatype), own, datatype, result, own, datatype);
  for (int step = 1; step < size; ++step) {
    const int to = (self + step) % size, from = (self + size - step) % size;
    if (own * datatype->size != 0) bglmpi_plan_receive(schedule, comm, in, own, datatype, from);
    if ((uint32_t)counts[to] * datatype->size != 0) {
      bglmpi_plan_send(schedule, comm, bglmpi_element(send, starts[to], datatype), (uint32_t)counts[to], datatype, to);
    }
    bglmpi_plan_round(schedule);
    bglmpi_plan_reduce(schedule, in, result, own, datatype, op);
  }
  bglmpi_plan_copy(schedule, result, own, datatype, receive, own, datatype);
}

/// Between two groups: each one's results are dealt out to the other.
static void across(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, void* receive, const int* counts,
                   uint32_t total, bglmpi_datatype_t* datatype, bglmpi_op_t* op) {
  void* mine = NULL;
  void* theirs = NULL;
  if (comm->rank == 0) {
    mine = bglmpi_schedule_elements(schedule, total, datatype);
    theirs = bglmpi_schedule_elements(schedule, total, datatype);
  }
  bglmpi_plan_reduction(schedule, comm->local, send, mine, total, datatype, op, 0);
  if (comm->rank == 0) {
    bglmpi_plan_receive(schedule, comm, theirs, total, datatype, 0);
    bglmpi_plan_send(schedule, comm, mine, total, datatype, 0);
    bglmpi_plan_round(schedule);
  }
  bglmpi_plan_deal(schedule, comm->local, theirs, counts, receive, datatype, 0);
}

/// Over the tree: everybody gets all results and keeps its own.
static bool by_network(const bglmpi_call_t* call, const void* send, void* receive, const int* counts, uint32_t total,
                       bglmpi_datatype_t* datatype, const bglmpi_op_t* op) {
  uint32_t start = 0;
  for (int rank = 0; rank < call->comm->rank; ++rank) start += (uint32_t)counts[rank];
  if (!bglmpi_network_reduction_fits(call, total, datatype, op)) return false;
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(call);
  void* all = bglmpi_schedule_elements(schedule, total, datatype);
  bglmpi_network_reduction(call, send, all, total, datatype, op, -1);
  const uint32_t own = (uint32_t)counts[call->comm->rank];
  bglmpi_plan_copy(schedule, bglmpi_element(all, start, datatype), own, datatype, receive, own, datatype);
  bglmpi_schedule_run(schedule, NULL);
  return true;
}

/// `own_counts` refers to the blocks' own counts; NULL: all are `count`.
static int reduce_scatter(const char* function, const void* send, void* receive, const int* const* own_counts,
                          int count, MPI_Datatype handle, MPI_Op op_handle, MPI_Comm comm_handle,
                          MPI_Request* const* request) {
  bglmpi_call_t call;
  bglmpi_datatype_t* datatype;
  bglmpi_op_t* op;
  BGLMPI_TRY(bglmpi_enter_collective(function, comm_handle, BGLMPI_TAG_REDUCE_SCATTER, request, &call));
  bglmpi_comm_t* comm = call.comm;
  const bool inter = bglmpi_is_inter(comm);
  const int* counts = NULL;
  if (own_counts != NULL) {
    BGLMPI_TRY(bglmpi_check_given(comm, *own_counts, "receive_counts"));
    counts = *own_counts;
  }
  int64_t sum = 0;
  for (int rank = 0; rank < comm->size; ++rank) {
    const int block = counts != NULL ? counts[rank] : count;
    if (block < 0)
      return bglmpi_fail(comm, MPI_ERR_COUNT, "the count of rank %d is %d; it must be 0 or more", rank, block);
    sum += block;
  }
  if (sum > INT32_MAX) return bglmpi_fail(comm, MPI_ERR_COUNT, "the counts add up to more than an int holds");
  const int own = counts != NULL ? counts[comm->rank] : count;
  BGLMPI_TRY(bglmpi_check_plain(comm, receive, own, handle, &datatype));
  BGLMPI_TRY(bglmpi_check_apart(comm, send, receive, (uint32_t)own));
  BGLMPI_TRY(bglmpi_check_reduction(comm, &send, receive, (int)sum, handle, op_handle, !inter, false, &datatype, &op));
  const uint32_t total = (uint32_t)sum;
  if (total * datatype->size == 0) return bglmpi_schedule_run(bglmpi_call_schedule(&call), call.request);
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(&call);
  if (counts == NULL) {
    int* all = bglmpi_schedule_bytes(schedule, (size_t)comm->size * sizeof *all);
    for (int rank = 0; rank < comm->size; ++rank) all[rank] = count;
    counts = all;
  }
  if (by_network(&call, send, receive, counts, total, datatype, op)) return bglmpi_schedule_run(schedule, NULL);
  if (inter) {
    across(schedule, comm, send, receive, counts, total, datatype, op);
  } else if (!op->commutes || total * datatype->size <= bglmpi_limits()->reduce_scatter_root) {
    by_root(schedule, comm, send, receive, counts, total, datatype, op);
  } else {
    in_pairs(schedule, comm, send, receive, counts, datatype, op);
  }
  return bglmpi_schedule_run(schedule, call.request);
}

int PMPI_Reduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm) {
  return reduce_scatter("MPI_Reduce_scatter", send, receive, &receive_counts, 0, datatype, op, comm, NULL);
}
BGLMPI_PUBLIC(Reduce_scatter);

int PMPI_Ireduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter("MPI_Ireduce_scatter", send, receive, &receive_counts, 0, datatype, op, comm, &request);
}
BGLMPI_PUBLIC(Ireduce_scatter);

int PMPI_Reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm) {
  return reduce_scatter("MPI_Reduce_scatter_block", send, receive, NULL, receive_count, datatype, op, comm, NULL);
}
BGLMPI_PUBLIC(Reduce_scatter_block);

int PMPI_Ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter("MPI_Ireduce_scatter_block", send, receive, NULL, receive_count, datatype, op, comm, &request);
}
BGLMPI_PUBLIC(Ireduce_scatter_block);
