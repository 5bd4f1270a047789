// SPDX-License-Identifier: Apache-2.0
// MPI_Reduce() and MPI_Allreduce(). Operands are combined in rank order wherever the operation does not commute.
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// What has been combined so far, and a buffer for what comes next: the two change places.
typedef struct {
  const void* current;  ///< first the user's, which is not written to
  void* buffers[2];
} sum_t;

static void* incoming(const sum_t* sum) {
  return sum->current == sum->buffers[0] ? sum->buffers[1] : sum->buffers[0];
}

/// current = current op incoming.
static void combine_above(mpii_schedule_t* schedule, sum_t* sum, uint32_t count, mpii_datatype_t* datatype,
                          mpii_op_t* op) {
  void* in = incoming(sum);
  mpii_plan_reduce(schedule, sum->current, in, count, datatype, op);
  sum->current = in;
}

/// current = incoming op current, which is not the user's where the operation does not commute.
static void combine_below(mpii_schedule_t* schedule, sum_t* sum, uint32_t count, mpii_datatype_t* datatype,
                          mpii_op_t* op) {
  if (op->commutes) {
    combine_above(schedule, sum, count, datatype, op);
  } else {
    mpii_plan_reduce(schedule, incoming(sum), (void*)(uintptr_t)sum->current, count, datatype, op);
  }
}

/// Up the binomial tree that a broadcast goes down. A process has combined the ranks from its own to the next one's
/// that stands as high, so that it always receives from the ranks behind it: in order, if the root is rank 0.
static void binomial(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                     mpii_datatype_t* datatype, mpii_op_t* op, int root) {
  const int size = comm->size, self = (comm->rank + size - root) % size;
  sum_t sum = {send, {NULL, NULL}};
  for (int bit = 1; bit < size; bit *= 2) {
    if ((self & bit) != 0) {
      mpii_plan_send(schedule, comm, sum.current, count, datatype, (self - bit + root) % size);
      break;
    }
    if (self + bit >= size) continue;
    if (sum.buffers[0] == NULL) {
      sum.buffers[0] = self == 0 ? receive : mpii_schedule_elements(schedule, count, datatype);
      sum.buffers[1] = mpii_schedule_elements(schedule, count, datatype);
    }
    mpii_plan_receive(schedule, comm, incoming(&sum), count, datatype, (self + bit + root) % size);
    mpii_plan_round(schedule);
    combine_above(schedule, &sum, count, datatype, op);
  }
  if (self == 0) mpii_plan_copy(schedule, sum.current, count, datatype, receive, count, datatype);
  mpii_plan_round(schedule);
}

void mpii_plan_reduction(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                         mpii_datatype_t* datatype, mpii_op_t* op, int root) {
  if (op->commutes || root == 0) {
    binomial(schedule, comm, send, receive, count, datatype, op, root);
    return;
  }
  // In rank order to rank 0, and from there to the root.
  void* result = comm->rank == 0 ? mpii_schedule_elements(schedule, count, datatype) : receive;
  binomial(schedule, comm, send, result, count, datatype, op, 0);
  if (comm->rank == 0) mpii_plan_send(schedule, comm, result, count, datatype, root);
  if (comm->rank == root) mpii_plan_receive(schedule, comm, receive, count, datatype, 0);
  mpii_plan_round(schedule);
}

// ---------------------------------------------------------------------------------------------------------------
// Results for all

/// The ranks of a power of two among all: where there are more, the first of them join in pairs.
typedef struct {
  int power;
  int pairs;   ///< ranks 2i and 2i + 1 for i below it
  int number;  ///< this process's among the `power`, or -1
} field_t;

static field_t field_of(const mpii_comm_t* comm) {
  field_t field = {.power = 1};
  while (2 * field.power <= comm->size) field.power *= 2;
  field.pairs = comm->size - field.power;
  if (comm->rank >= 2 * field.pairs) {
    field.number = comm->rank - field.pairs;
  } else {
    field.number = comm->rank % 2 == 1 ? comm->rank / 2 : -1;
  }
  return field;
}

static int rank_of(const field_t* field, int number) {
  return number < field->pairs ? 2 * number + 1 : number + field->pairs;
}

/// The lower of a pair gives what it has to the upper.
static void join(mpii_schedule_t* schedule, mpii_comm_t* comm, const field_t* field, sum_t* sum, uint32_t count,
                 mpii_datatype_t* datatype, mpii_op_t* op) {
  if (comm->rank >= 2 * field->pairs) return;
  if (field->number < 0) {
    mpii_plan_send(schedule, comm, sum->current, count, datatype, comm->rank + 1);
  } else {
    mpii_plan_receive(schedule, comm, incoming(sum), count, datatype, comm->rank - 1);
    mpii_plan_round(schedule);
    combine_below(schedule, sum, count, datatype, op);
  }
}

/// And gets the result.
static void part(mpii_schedule_t* schedule, mpii_comm_t* comm, const field_t* field, void* receive, uint32_t count,
                 mpii_datatype_t* datatype) {
  if (comm->rank >= 2 * field->pairs) return;
  mpii_plan_round(schedule);
  if (field->number < 0) {
    mpii_plan_receive(schedule, comm, receive, count, datatype, comm->rank + 1);
  } else {
    mpii_plan_send(schedule, comm, receive, count, datatype, comm->rank - 1);
  }
}

/// Recursive doubling: pairs exchange all they have, at distances that double. What a process has is always that of
/// neighbouring ranks, so the order is kept; and both of a pair combine the same operands, so all get the same bits.
static void doubling(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                     mpii_datatype_t* datatype, mpii_op_t* op) {
  const field_t field = field_of(comm);
  sum_t sum = {send, {receive, mpii_schedule_elements(schedule, count, datatype)}};
  if (!op->commutes) {
    mpii_plan_copy(schedule, send, count, datatype, receive, count, datatype);
    sum.current = receive;
  }
  join(schedule, comm, &field, &sum, count, datatype, op);
  for (int bit = 1; field.number >= 0 && bit < field.power; bit *= 2) {
    const int peer = rank_of(&field, field.number ^ bit);
    mpii_plan_receive(schedule, comm, incoming(&sum), count, datatype, peer);
    mpii_plan_send(schedule, comm, sum.current, count, datatype, peer);
    mpii_plan_round(schedule);
    if ((field.number & bit) != 0) {
      combine_below(schedule, &sum, count, datatype, op);
    } else {
      combine_above(schedule, &sum, count, datatype, op);
    }
  }
  if (field.number >= 0) mpii_plan_copy(schedule, sum.current, count, datatype, receive, count, datatype);
  part(schedule, comm, &field, receive, count, datatype);
}

/// Elements of the blocks below `block`, of `power` blocks.
static uint32_t start_of(uint32_t count, int block, int power) {
  return (uint32_t)((uint64_t)count * (uint32_t)block / (uint32_t)power);
}

/// Recursive halving, then doubling: pairs at the greatest distance first exchange halves of what each combines
/// further, until every process has one block's result; these are gathered the same way back. Everything is sent about
/// twice, however many processes there are; but the order is not kept.
static void halving(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive, uint32_t count,
                    mpii_datatype_t* datatype, mpii_op_t* op) {
  const field_t field = field_of(comm);
  void* in = mpii_schedule_elements(schedule, count, datatype);
  mpii_plan_copy(schedule, send, count, datatype, receive, count, datatype);
  sum_t sum = {receive, {receive, in}};
  join(schedule, comm, &field, &sum, count, datatype, op);
  if (field.number >= 0) {
    uint8_t* const mine = (uint8_t*)(uintptr_t)sum.current;
    uint8_t* const theirs = incoming(&sum);
    int first = 0;
    for (int half = field.power / 2; half != 0; half /= 2) {
      const int peer = rank_of(&field, field.number ^ half);
      const int middle = first + half;
      const bool upper = (field.number & half) != 0;
      const int keep = upper ? middle : first, give = upper ? first : middle;
      const uint32_t kept = start_of(count, keep, field.power), kept_end = start_of(count, keep + half, field.power);
      const uint32_t given = start_of(count, give, field.power), given_end = start_of(count, give + half, field.power);
      mpii_plan_receive(schedule, comm, mpii_element(theirs, kept, datatype), kept_end - kept, datatype, peer);
      mpii_plan_send(schedule, comm, mpii_element(mine, given, datatype), given_end - given, datatype, peer);
      mpii_plan_round(schedule);
      mpii_plan_reduce(schedule, mpii_element(theirs, kept, datatype), mpii_element(mine, kept, datatype),
                       kept_end - kept, datatype, op);
      first = keep;
    }
    for (int half = 1; half < field.power; half *= 2) {
      const int peer = rank_of(&field, field.number ^ half);
      const int own = field.number & ~(half - 1), other = own ^ half;
      const uint32_t from = start_of(count, own, field.power), to = start_of(count, other, field.power);
      mpii_plan_receive(schedule, comm, mpii_element(mine, to, datatype),
                        start_of(count, other + half, field.power) - to, datatype, peer);
      mpii_plan_send(schedule, comm, mpii_element(mine, from, datatype),
                     start_of(count, own + half, field.power) - from, datatype, peer);
      mpii_plan_round(schedule);
    }
    mpii_plan_copy(schedule, mine, count, datatype, receive, count, datatype);
  }
  part(schedule, comm, &field, receive, count, datatype);
}

static void plan_allreduction(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, void* receive,
                              uint32_t count, mpii_datatype_t* datatype, mpii_op_t* op) {
  if (!op->commutes || count * datatype->size <= mpii_limits()->allreduce_doubling || count < (uint32_t)comm->size) {
    doubling(schedule, comm, send, receive, count, datatype, op);
  } else {
    halving(schedule, comm, send, receive, count, datatype, op);
  }
}

// ---------------------------------------------------------------------------------------------------------------

static int reduce(const char* function, const void* send, void* receive, int count, MPI_Datatype handle,
                  MPI_Op op_handle, int root, MPI_Comm comm_handle, MPI_Request* const* request) {
  mpii_call_t call;
  mpii_role_t role;
  mpii_datatype_t* datatype;
  mpii_op_t* op;
  MPII_TRY(mpii_enter_collective(function, comm_handle, MPII_TAG_REDUCE, request, &call));
  mpii_comm_t* comm = call.comm;
  const bool inter = mpii_is_inter(comm);
  MPII_TRY(mpii_check_root(comm, root, &role));
  if (role == MPII_IS_ROOTLESS) return mpii_schedule_run(mpii_call_schedule(&call), call.request);
  const bool receives = role == MPII_IS_ROOT;
  if (receives && inter) send = MPI_IN_PLACE;  // it gives nothing
  MPII_TRY(mpii_check_reduction(comm, &send, receive, count, handle, op_handle, receives, receives, &datatype, &op));
  const uint32_t elements = (uint32_t)count;
  if (mpii_network_reduction(&call, send, receive, elements, datatype, op, root)) return MPI_SUCCESS;
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (elements * datatype->size == 0) return mpii_schedule_run(schedule, call.request);
  if (!inter) {
    mpii_plan_reduction(schedule, comm, send, receive, elements, datatype, op, root);
  } else if (receives) {
    mpii_plan_receive(schedule, comm, receive, elements, datatype, 0);
  } else {
    void* result = comm->rank == 0 ? mpii_schedule_elements(schedule, elements, datatype) : NULL;
    mpii_plan_reduction(schedule, comm->local, send, result, elements, datatype, op, 0);
    if (comm->rank == 0) mpii_plan_send(schedule, comm, result, elements, datatype, root);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Reduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return reduce("MPI_Reduce", send, receive, count, datatype, op, root, comm, NULL);
}
MPII_PUBLIC(Reduce);

int PMPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return reduce("MPI_Ireduce", send, receive, count, datatype, op, root, comm, &request);
}
MPII_PUBLIC(Ireduce);

static int allreduce(const char* function, const void* send, void* receive, int count, MPI_Datatype handle,
                     MPI_Op op_handle, MPI_Comm comm_handle, MPI_Request* const* request) {
  mpii_call_t call;
  mpii_datatype_t* datatype;
  mpii_op_t* op;
  MPII_TRY(mpii_enter_collective(function, comm_handle, MPII_TAG_ALLREDUCE, request, &call));
  mpii_comm_t* comm = call.comm;
  const bool inter = mpii_is_inter(comm);
  MPII_TRY(mpii_check_reduction(comm, &send, receive, count, handle, op_handle, !inter, true, &datatype, &op));
  const uint32_t elements = (uint32_t)count;
  if (mpii_network_reduction(&call, send, receive, elements, datatype, op, -1)) return MPI_SUCCESS;
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (elements * datatype->size == 0) return mpii_schedule_run(schedule, call.request);
  if (!inter) {
    plan_allreduction(schedule, comm, send, receive, elements, datatype, op);
  } else {  // the groups' results change sides
    void* result = comm->rank == 0 ? mpii_schedule_elements(schedule, elements, datatype) : NULL;
    mpii_plan_reduction(schedule, comm->local, send, result, elements, datatype, op, 0);
    if (comm->rank == 0) {
      mpii_plan_receive(schedule, comm, receive, elements, datatype, 0);
      mpii_plan_send(schedule, comm, result, elements, datatype, 0);
      mpii_plan_round(schedule);
    }
    mpii_plan_bcast(schedule, comm->local, receive, elements, datatype, 0);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return allreduce("MPI_Allreduce", send, receive, count, datatype, op, comm, NULL);
}
MPII_PUBLIC(Allreduce);

int PMPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request* request) {
  return allreduce("MPI_Iallreduce", send, receive, count, datatype, op, comm, &request);
}
MPII_PUBLIC(Iallreduce);
