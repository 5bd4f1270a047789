// SPDX-License-Identifier: Apache-2.0
// MPI_Reduce_scatter() and MPI_Reduce_scatter_block().
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// The results to rank 0, and from there to whom they belong. Keeps the order.
static void by_root(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, const int* counts,
                    uint32_t total, mpii_datatype_t* datatype, mpii_op_t* op) {
  // Not in `receive`: there is room for one block only.
  void* all = comm->rank == 0 ? mpii_schedule_elements(schedule, total, datatype) : NULL;
  mpii_plan_reduction(schedule, comm, send, all, total, datatype, op, 0);
  mpii_plan_deal(schedule, comm, all, counts, receive, datatype, 0);
}

/// Every process gets its block's operands from all others, one after the other, and combines them itself: nothing is
/// sent twice. The order is not kept.
static void in_pairs(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, const int* counts,
                     mpii_datatype_t* datatype, mpii_op_t* op) {
  const int size = comm->size, self = comm->rank;
  const uint32_t own = (uint32_t)counts[self];
  uint32_t* starts = mpii_schedule_bytes(schedule, (size_t)size * sizeof *starts);
  uint32_t sum = 0;
  for (int rank = 0; rank < size; ++rank) {
    starts[rank] = sum;
    sum += (uint32_t)counts[rank];
  }
  // The user's own block may lie where the result goes, and so may others that have not been sent.
  void* result = send == receive ? mpii_schedule_elements(schedule, own, datatype) : receive;
  void* in = mpii_schedule_elements(schedule, own, datatype);
  mpii_plan_copy(schedule, mpii_element(send, starts[self], datatype), own, datatype, result, own, datatype);
  for (int step = 1; step < size; ++step) {
    const int to = (self + step) % size, from = (self + size - step) % size;
    if (own * datatype->size != 0) mpii_plan_receive(schedule, comm, in, own, datatype, from);
    if ((uint32_t)counts[to] * datatype->size != 0) {
      mpii_plan_send(schedule, comm, mpii_element(send, starts[to], datatype), (uint32_t)counts[to], datatype, to);
    }
    mpii_plan_round(schedule);
    mpii_plan_reduce(schedule, in, result, own, datatype, op);
  }
  mpii_plan_copy(schedule, result, own, datatype, receive, own, datatype);
}

/// Between two groups: each one's results are dealt out to the other.
static void across(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, const int* counts,
                   uint32_t total, mpii_datatype_t* datatype, mpii_op_t* op) {
  void* mine = NULL;
  void* theirs = NULL;
  if (comm->rank == 0) {
    mine = mpii_schedule_elements(schedule, total, datatype);
    theirs = mpii_schedule_elements(schedule, total, datatype);
  }
  mpii_plan_reduction(schedule, comm->local, send, mine, total, datatype, op, 0);
  if (comm->rank == 0) {
    mpii_plan_receive(schedule, comm, theirs, total, datatype, 0);
    mpii_plan_send(schedule, comm, mine, total, datatype, 0);
    mpii_plan_round(schedule);
  }
  mpii_plan_deal(schedule, comm->local, theirs, counts, receive, datatype, 0);
}

/// Over the tree: every process gets all results and keeps its own.
static bool by_network(const mpii_call_t* call, const void* send, void* receive, const int* counts, uint32_t total,
                       mpii_datatype_t* datatype, const mpii_op_t* op) {
  uint32_t start = 0;
  for (int rank = 0; rank < call->comm->rank; ++rank) start += (uint32_t)counts[rank];
  if (!mpii_network_reduction_fits(call, total, datatype, op)) return false;
  mpii_schedule_t* schedule = mpii_call_schedule(call);
  void* all = mpii_schedule_elements(schedule, total, datatype);
  mpii_network_reduction(call, send, all, total, datatype, op, -1);
  const uint32_t own = (uint32_t)counts[call->comm->rank];
  mpii_plan_copy(schedule, mpii_element(all, start, datatype), own, datatype, receive, own, datatype);
  mpii_schedule_run(schedule, NULL);
  return true;
}

/// `own_counts` refers to the blocks' own counts; NULL: all are `count`.
static int reduce_scatter(const char* function, const void* send, void* receive, const int* const* own_counts,
                          int count, MPI_Datatype handle, MPI_Op op_handle, MPI_Comm comm_handle,
                          MPI_Request* const* request) {
  mpii_call_t call;
  mpii_datatype_t* datatype;
  mpii_op_t* op;
  MPII_TRY(mpii_enter_collective(function, comm_handle, MPII_TAG_REDUCE_SCATTER, request, &call));
  mpii_comm_t* comm = call.comm;
  const bool inter = mpii_is_inter(comm);
  const int* counts = NULL;
  if (own_counts != NULL) {
    MPII_TRY(mpii_check_given(comm, *own_counts, "receive_counts"));
    counts = *own_counts;
  }
  int64_t sum = 0;
  for (int rank = 0; rank < comm->size; ++rank) {
    const int block = counts != NULL ? counts[rank] : count;
    if (block < 0)
      return mpii_fail(comm, MPI_ERR_COUNT, "the count of rank %d is %d; it must be 0 or more", rank, block);
    sum += block;
  }
  if (sum > INT32_MAX) return mpii_fail(comm, MPI_ERR_COUNT, "the counts add up to more than an int holds");
  const int own = counts != NULL ? counts[comm->rank] : count;
  MPII_TRY(mpii_check_plain(comm, receive, own, handle, &datatype));
  MPII_TRY(mpii_check_apart(comm, send, receive, (uint32_t)own));
  MPII_TRY(mpii_check_reduction(comm, &send, receive, (int)sum, handle, op_handle, !inter, false, &datatype, &op));
  const uint32_t total = (uint32_t)sum;
  if (total * datatype->size == 0) return mpii_schedule_run(mpii_call_schedule(&call), call.request);
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (counts == NULL) {
    int* all = mpii_schedule_bytes(schedule, (size_t)comm->size * sizeof *all);
    for (int rank = 0; rank < comm->size; ++rank) all[rank] = count;
    counts = all;
  }
  if (by_network(&call, send, receive, counts, total, datatype, op)) return mpii_schedule_run(schedule, NULL);
  if (inter) {
    across(schedule, comm, send, receive, counts, total, datatype, op);
  } else if (!op->commutes || total * datatype->size <= mpii_limits()->reduce_scatter_root) {
    by_root(schedule, comm, send, receive, counts, total, datatype, op);
  } else {
    in_pairs(schedule, comm, send, receive, counts, datatype, op);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Reduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm) {
  return reduce_scatter("MPI_Reduce_scatter", send, receive, &receive_counts, 0, datatype, op, comm, NULL);
}
MPII_PUBLIC(Reduce_scatter);

int PMPI_Ireduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter("MPI_Ireduce_scatter", send, receive, &receive_counts, 0, datatype, op, comm, &request);
}
MPII_PUBLIC(Ireduce_scatter);

int PMPI_Reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm) {
  return reduce_scatter("MPI_Reduce_scatter_block", send, receive, NULL, receive_count, datatype, op, comm, NULL);
}
MPII_PUBLIC(Reduce_scatter_block);

int PMPI_Ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter("MPI_Ireduce_scatter_block", send, receive, NULL, receive_count, datatype, op, comm, &request);
}
MPII_PUBLIC(Ireduce_scatter_block);
