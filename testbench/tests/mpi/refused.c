// SPDX-License-Identifier: Apache-2.0
// A collective call that is refused for its arguments leaves no trace: made again with the right ones, it works,
// whoever had it refused before and however often.
#include <string.h>

#include "check.h"

static int world_rank;

/// What the calls work on.
typedef struct {
  MPI_Comm comm, grid;
  int rank, size;
  int *send, *receive, *ones, *places;  // a number for each rank, and more
  MPI_Aint* offsets;
  MPI_Datatype* types;
  MPI_Request request;
  MPI_Comm made;
  MPI_Win win;
  void* base;
} setting_t;

/// A collective call: with a wrong argument, and the error class that it gives then; and as it should be.
typedef struct {
  const char* name;
  int error;
  int (*wrong)(setting_t*);
  int (*right)(setting_t*);
  int what;  // is made by it
} call_t;
enum { NOTHING, REQUEST, COMMUNICATOR, WINDOW };

#define CALL(label, class, wrong_call, right_call, made_) \
  static int wrong_##label(setting_t* s) {                \
    (void)s;                                              \
    return wrong_call;                                    \
  }                                                       \
  static int right_##label(setting_t* s) {                \
    (void)s;                                              \
    return right_call;                                    \
  }                                                       \
  static const call_t call_##label = {#label, class, wrong_##label, right_##label, made_};

#define S s->send
#define R s->receive
#define I MPI_INT
#define C s->comm
#define G s->grid
#define Q &s->request
#define M &s->made
#define W &s->win

CALL(Barrier, MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL), MPI_Barrier(C), NOTHING)
CALL(Bcast, MPI_ERR_TYPE, MPI_Bcast(R, 1, MPI_DATATYPE_NULL, 0, C), MPI_Bcast(R, 1, I, 0, C), NOTHING)
CALL(Bcast_count, MPI_ERR_COUNT, MPI_Bcast(R, -1, I, 0, C), MPI_Bcast(R, 1, I, 0, C), NOTHING)
CALL(Bcast_root, MPI_ERR_ROOT, MPI_Bcast(R, 1, I, s->size, C), MPI_Bcast(R, 1, I, 0, C), NOTHING)
CALL(Gather, MPI_ERR_BUFFER, MPI_Gather(NULL, 1, I, R, 1, I, 0, C), MPI_Gather(S, 1, I, R, 1, I, 0, C), NOTHING)
CALL(Gatherv, MPI_ERR_COUNT, MPI_Gatherv(S, -1, I, R, s->ones, s->places, I, 0, C),
     MPI_Gatherv(S, 1, I, R, s->ones, s->places, I, 0, C), NOTHING)
CALL(Scatter, MPI_ERR_BUFFER, MPI_Scatter(S, 1, I, NULL, 1, I, 0, C), MPI_Scatter(S, 1, I, R, 1, I, 0, C), NOTHING)
CALL(Scatterv, MPI_ERR_TYPE, MPI_Scatterv(S, s->ones, s->places, I, R, 1, MPI_DATATYPE_NULL, 0, C),
     MPI_Scatterv(S, s->ones, s->places, I, R, 1, I, 0, C), NOTHING)
CALL(Allgather, MPI_ERR_BUFFER, MPI_Allgather(NULL, 1, I, R, 1, I, C), MPI_Allgather(S, 1, I, R, 1, I, C), NOTHING)
CALL(Allgatherv, MPI_ERR_ARG, MPI_Allgatherv(S, 1, I, R, NULL, s->places, I, C),
     MPI_Allgatherv(S, 1, I, R, s->ones, s->places, I, C), NOTHING)
CALL(Alltoall, MPI_ERR_COUNT, MPI_Alltoall(S, 1, I, R, -1, I, C), MPI_Alltoall(S, 1, I, R, 1, I, C), NOTHING)
CALL(Alltoallv, MPI_ERR_ARG, MPI_Alltoallv(S, s->ones, NULL, I, R, s->ones, s->places, I, C),
     MPI_Alltoallv(S, s->ones, s->places, I, R, s->ones, s->places, I, C), NOTHING)
CALL(Alltoallw, MPI_ERR_ARG, MPI_Alltoallw(S, s->ones, s->places, s->types, R, s->ones, s->places, NULL, C),
     MPI_Alltoallw(S, s->ones, s->places, s->types, R, s->ones, s->places, s->types, C), NOTHING)
CALL(Reduce, MPI_ERR_OP, MPI_Reduce(S, R, 1, I, MPI_OP_NULL, 0, C), MPI_Reduce(S, R, 1, I, MPI_SUM, 0, C), NOTHING)
CALL(Allreduce, MPI_ERR_OP, MPI_Allreduce(S, R, 1, I, MPI_MAXLOC, C), MPI_Allreduce(S, R, 1, I, MPI_SUM, C), NOTHING)
CALL(Allreduce_product, MPI_ERR_TYPE, MPI_Allreduce(S, R, 1, MPI_DATATYPE_NULL, MPI_PROD, C),
     MPI_Allreduce(S, R, 1, I, MPI_PROD, C), NOTHING)
CALL(Reduce_scatter, MPI_ERR_ARG, MPI_Reduce_scatter(S, R, NULL, I, MPI_SUM, C),
     MPI_Reduce_scatter(S, R, s->ones, I, MPI_SUM, C), NOTHING)
CALL(Reduce_scatter_block, MPI_ERR_COUNT, MPI_Reduce_scatter_block(S, R, -1, I, MPI_SUM, C),
     MPI_Reduce_scatter_block(S, R, 1, I, MPI_SUM, C), NOTHING)
CALL(Scan, MPI_ERR_OP, MPI_Scan(S, R, 1, I, MPI_REPLACE, C), MPI_Scan(S, R, 1, I, MPI_SUM, C), NOTHING)
CALL(Exscan, MPI_ERR_BUFFER, MPI_Exscan(S, NULL, 1, I, MPI_SUM, C), MPI_Exscan(S, R, 1, I, MPI_SUM, C), NOTHING)

CALL(Ibarrier, MPI_ERR_ARG, MPI_Ibarrier(C, NULL), MPI_Ibarrier(C, Q), REQUEST)
CALL(Ibcast, MPI_ERR_ARG, MPI_Ibcast(R, 1, I, 0, C, NULL), MPI_Ibcast(R, 1, I, 0, C, Q), REQUEST)
CALL(Igather, MPI_ERR_ROOT, MPI_Igather(S, 1, I, R, 1, I, -7, C, Q), MPI_Igather(S, 1, I, R, 1, I, 0, C, Q), REQUEST)
CALL(Igatherv, MPI_ERR_ARG, MPI_Igatherv(S, 1, I, R, s->ones, s->places, I, 0, C, NULL),
     MPI_Igatherv(S, 1, I, R, s->ones, s->places, I, 0, C, Q), REQUEST)
CALL(Iscatter, MPI_ERR_ARG, MPI_Iscatter(S, 1, I, R, 1, I, 0, C, NULL), MPI_Iscatter(S, 1, I, R, 1, I, 0, C, Q),
     REQUEST)
CALL(Iscatterv, MPI_ERR_COUNT, MPI_Iscatterv(S, s->ones, s->places, I, R, -1, I, 0, C, Q),
     MPI_Iscatterv(S, s->ones, s->places, I, R, 1, I, 0, C, Q), REQUEST)
CALL(Iallgather, MPI_ERR_ARG, MPI_Iallgather(S, 1, I, R, 1, I, C, NULL), MPI_Iallgather(S, 1, I, R, 1, I, C, Q),
     REQUEST)
CALL(Iallgatherv, MPI_ERR_ARG, MPI_Iallgatherv(S, 1, I, R, s->ones, NULL, I, C, Q),
     MPI_Iallgatherv(S, 1, I, R, s->ones, s->places, I, C, Q), REQUEST)
CALL(Ialltoall, MPI_ERR_BUFFER, MPI_Ialltoall(S, 1, I, NULL, 1, I, C, Q), MPI_Ialltoall(S, 1, I, R, 1, I, C, Q),
     REQUEST)
CALL(Ialltoallv, MPI_ERR_ARG, MPI_Ialltoallv(S, s->ones, s->places, I, R, NULL, s->places, I, C, Q),
     MPI_Ialltoallv(S, s->ones, s->places, I, R, s->ones, s->places, I, C, Q), REQUEST)
CALL(Ialltoallw, MPI_ERR_ARG, MPI_Ialltoallw(S, s->ones, s->places, s->types, R, s->ones, s->places, s->types, C, NULL),
     MPI_Ialltoallw(S, s->ones, s->places, s->types, R, s->ones, s->places, s->types, C, Q), REQUEST)
CALL(Ireduce, MPI_ERR_OP, MPI_Ireduce(S, R, 1, I, MPI_OP_NULL, 0, C, Q), MPI_Ireduce(S, R, 1, I, MPI_SUM, 0, C, Q),
     REQUEST)
CALL(Iallreduce, MPI_ERR_ARG, MPI_Iallreduce(S, R, 1, I, MPI_SUM, C, NULL), MPI_Iallreduce(S, R, 1, I, MPI_SUM, C, Q),
     REQUEST)
CALL(Ireduce_scatter, MPI_ERR_ARG, MPI_Ireduce_scatter(S, R, s->ones, I, MPI_SUM, C, NULL),
     MPI_Ireduce_scatter(S, R, s->ones, I, MPI_SUM, C, Q), REQUEST)
CALL(Ireduce_scatter_block, MPI_ERR_TYPE, MPI_Ireduce_scatter_block(S, R, 1, MPI_DATATYPE_NULL, MPI_SUM, C, Q),
     MPI_Ireduce_scatter_block(S, R, 1, I, MPI_SUM, C, Q), REQUEST)
CALL(Iscan, MPI_ERR_COUNT, MPI_Iscan(S, R, -1, I, MPI_SUM, C, Q), MPI_Iscan(S, R, 1, I, MPI_SUM, C, Q), REQUEST)
CALL(Iexscan, MPI_ERR_ARG, MPI_Iexscan(S, R, 1, I, MPI_SUM, C, NULL), MPI_Iexscan(S, R, 1, I, MPI_SUM, C, Q), REQUEST)

CALL(Neighbor_allgather, MPI_ERR_BUFFER, MPI_Neighbor_allgather(NULL, 1, I, R, 1, I, G),
     MPI_Neighbor_allgather(S, 1, I, R, 1, I, G), NOTHING)
CALL(Neighbor_allgatherv, MPI_ERR_ARG, MPI_Neighbor_allgatherv(S, 1, I, R, s->ones, NULL, I, G),
     MPI_Neighbor_allgatherv(S, 1, I, R, s->ones, s->places, I, G), NOTHING)
CALL(Neighbor_alltoall, MPI_ERR_COUNT, MPI_Neighbor_alltoall(S, -1, I, R, 1, I, G),
     MPI_Neighbor_alltoall(S, 1, I, R, 1, I, G), NOTHING)
CALL(Neighbor_alltoallv, MPI_ERR_ARG, MPI_Neighbor_alltoallv(S, s->ones, s->places, I, R, NULL, s->places, I, G),
     MPI_Neighbor_alltoallv(S, s->ones, s->places, I, R, s->ones, s->places, I, G), NOTHING)
CALL(Neighbor_alltoallw, MPI_ERR_ARG,
     MPI_Neighbor_alltoallw(S, s->ones, s->offsets, NULL, R, s->ones, s->offsets, s->types, G),
     MPI_Neighbor_alltoallw(S, s->ones, s->offsets, s->types, R, s->ones, s->offsets, s->types, G), NOTHING)
CALL(Ineighbor_allgather, MPI_ERR_ARG, MPI_Ineighbor_allgather(S, 1, I, R, 1, I, G, NULL),
     MPI_Ineighbor_allgather(S, 1, I, R, 1, I, G, Q), REQUEST)
CALL(Ineighbor_allgatherv, MPI_ERR_TYPE,
     MPI_Ineighbor_allgatherv(S, 1, MPI_DATATYPE_NULL, R, s->ones, s->places, I, G, Q),
     MPI_Ineighbor_allgatherv(S, 1, I, R, s->ones, s->places, I, G, Q), REQUEST)
CALL(Ineighbor_alltoall, MPI_ERR_BUFFER, MPI_Ineighbor_alltoall(S, 1, I, NULL, 1, I, G, Q),
     MPI_Ineighbor_alltoall(S, 1, I, R, 1, I, G, Q), REQUEST)
CALL(Ineighbor_alltoallv, MPI_ERR_ARG,
     MPI_Ineighbor_alltoallv(S, s->ones, s->places, I, R, s->ones, s->places, I, G, NULL),
     MPI_Ineighbor_alltoallv(S, s->ones, s->places, I, R, s->ones, s->places, I, G, Q), REQUEST)
CALL(Ineighbor_alltoallw, MPI_ERR_ARG,
     MPI_Ineighbor_alltoallw(S, s->ones, s->offsets, s->types, R, s->ones, NULL, s->types, G, Q),
     MPI_Ineighbor_alltoallw(S, s->ones, s->offsets, s->types, R, s->ones, s->offsets, s->types, G, Q), REQUEST)

static MPI_Group group_of(MPI_Comm comm) {
  static MPI_Group group = MPI_GROUP_NULL;
  if (group != MPI_GROUP_NULL) MPI_Group_free(&group);
  MPI_Comm_group(comm, &group);
  return group;
}

static MPI_Info wrong_info(void) {
  return (MPI_Info)MPI_INT;
}

static const int remains = 1;

CALL(Comm_dup, MPI_ERR_ARG, MPI_Comm_dup(C, NULL), MPI_Comm_dup(C, M), COMMUNICATOR)
CALL(Comm_dup_with_info, MPI_ERR_INFO, MPI_Comm_dup_with_info(C, wrong_info(), M),
     MPI_Comm_dup_with_info(C, MPI_INFO_NULL, M), COMMUNICATOR)
CALL(Comm_create, MPI_ERR_GROUP, MPI_Comm_create(C, MPI_GROUP_NULL, M), MPI_Comm_create(C, group_of(C), M),
     COMMUNICATOR)
CALL(Comm_create_group, MPI_ERR_TAG, MPI_Comm_create_group(C, group_of(C), -1, M),
     MPI_Comm_create_group(C, group_of(C), 3, M), COMMUNICATOR)
CALL(Comm_split, MPI_ERR_ARG, MPI_Comm_split(C, -3, 0, M), MPI_Comm_split(C, 0, 0, M), COMMUNICATOR)
CALL(Comm_split_type, MPI_ERR_ARG, MPI_Comm_split_type(C, 99, 0, MPI_INFO_NULL, M),
     MPI_Comm_split_type(C, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, M), COMMUNICATOR)
CALL(Cart_create, MPI_ERR_DIMS, MPI_Cart_create(C, 1, s->places, s->places, 0, M),
     MPI_Cart_create(C, 1, &s->size, s->places, 0, M), COMMUNICATOR)
CALL(Cart_sub, MPI_ERR_ARG, MPI_Cart_sub(G, NULL, M), MPI_Cart_sub(G, &remains, M), COMMUNICATOR)
CALL(Graph_create, MPI_ERR_ARG, MPI_Graph_create(C, s->size + 1, s->places, s->places, 0, M),
     MPI_Graph_create(C, s->size, s->places + s->size, s->places, 0, M), COMMUNICATOR)
CALL(Dist_graph_create, MPI_ERR_RANK,
     MPI_Dist_graph_create(C, 1, &s->size, s->ones, s->places, s->ones, MPI_INFO_NULL, 0, M),
     MPI_Dist_graph_create(C, 1, &s->rank, s->ones, s->places, s->ones, MPI_INFO_NULL, 0, M), COMMUNICATOR)
CALL(Dist_graph_create_adjacent, MPI_ERR_ARG,
     MPI_Dist_graph_create_adjacent(C, 1, NULL, s->ones, 0, NULL, NULL, MPI_INFO_NULL, 0, M),
     MPI_Dist_graph_create_adjacent(C, 1, &s->rank, s->ones, 1, &s->rank, s->ones, MPI_INFO_NULL, 0, M), COMMUNICATOR)
CALL(Win_create, MPI_ERR_SIZE, MPI_Win_create(S, -1, 1, MPI_INFO_NULL, C, W),
     MPI_Win_create(S, 4, 1, MPI_INFO_NULL, C, W), WINDOW)
CALL(Win_allocate, MPI_ERR_DISP, MPI_Win_allocate(4, 0, MPI_INFO_NULL, C, &s->base, W),
     MPI_Win_allocate(4, 1, MPI_INFO_NULL, C, &s->base, W), WINDOW)
CALL(Win_create_dynamic, MPI_ERR_ARG, MPI_Win_create_dynamic(MPI_INFO_NULL, C, NULL),
     MPI_Win_create_dynamic(MPI_INFO_NULL, C, W), WINDOW)

/// MPI_Comm_idup() gives a communicator and a request.
static int wrong_Comm_idup(setting_t* s) {
  return MPI_Comm_idup(s->comm, &s->made, NULL);
}
static int right_Comm_idup(setting_t* s) {
  const int error = MPI_Comm_idup(s->comm, &s->made, &s->request);
  MPI_Wait(&s->request, MPI_STATUS_IGNORE);
  return error;
}
static const call_t call_Comm_idup = {"Comm_idup", MPI_ERR_ARG, wrong_Comm_idup, right_Comm_idup, COMMUNICATOR};

static const call_t* const calls[] = {
    &call_Barrier,
    &call_Bcast,
    &call_Bcast_count,
    &call_Bcast_root,
    &call_Gather,
    &call_Gatherv,
    &call_Scatter,
    &call_Scatterv,
    &call_Allgather,
    &call_Allgatherv,
    &call_Alltoall,
    &call_Alltoallv,
    &call_Alltoallw,
    &call_Reduce,
    &call_Allreduce,
    &call_Allreduce_product,
    &call_Reduce_scatter,
    &call_Reduce_scatter_block,
    &call_Scan,
    &call_Exscan,
    &call_Ibarrier,
    &call_Ibcast,
    &call_Igather,
    &call_Igatherv,
    &call_Iscatter,
    &call_Iscatterv,
    &call_Iallgather,
    &call_Iallgatherv,
    &call_Ialltoall,
    &call_Ialltoallv,
    &call_Ialltoallw,
    &call_Ireduce,
    &call_Iallreduce,
    &call_Ireduce_scatter,
    &call_Ireduce_scatter_block,
    &call_Iscan,
    &call_Iexscan,
    &call_Neighbor_allgather,
    &call_Neighbor_allgatherv,
    &call_Neighbor_alltoall,
    &call_Neighbor_alltoallv,
    &call_Neighbor_alltoallw,
    &call_Ineighbor_allgather,
    &call_Ineighbor_allgatherv,
    &call_Ineighbor_alltoall,
    &call_Ineighbor_alltoallv,
    &call_Ineighbor_alltoallw,
    &call_Comm_dup,
    &call_Comm_dup_with_info,
    &call_Comm_idup,
    &call_Comm_create,
    &call_Comm_create_group,
    &call_Comm_split,
    &call_Comm_split_type,
    &call_Cart_create,
    &call_Cart_sub,
    &call_Graph_create,
    &call_Dist_graph_create,
    &call_Dist_graph_create_adjacent,
    &call_Win_create,
    &call_Win_allocate,
    &call_Win_create_dynamic,
};
enum { CALLS = sizeof calls / sizeof *calls };

/// All that a communicator does has to work: a broadcast by messages in any case, and a sum.
static void use(MPI_Comm comm, const char* after) {
  int rank, size, sum = -1, word;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  word = rank == 0 ? 4711 : 0;
  CHECK_ERROR(MPI_SUCCESS, MPI_Ibcast(&word, 1, MPI_INT, 0, comm, &request));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_ERROR(MPI_SUCCESS, MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK(word == 4711 && sum == size * (size - 1) / 2, "after %s a broadcast gives %d, a sum %d", after, word, sum);
}

/// Who has the call refused first: all, the first, the last, every other one twice.
enum { ALL, FIRST, LAST, SOME, WAYS };
static int refusals(int way, int rank, int size) {
  switch (way) {
    case ALL:
      return 1;
    case FIRST:
      return rank == 0;
    case LAST:
      return rank == size - 1;
    default:
      return rank % 2 != 0 ? 2 : 0;
  }
}

static void try(setting_t* s, const call_t* call, int way) {
  for (int i = 0; i < 2 * s->size; ++i) s->receive[i] = -1;
  s->receive[0] = s->rank == 0 ? 17 : -1;
  for (int i = refusals(way, s->rank, s->size); i > 0; --i) {
    const int error = call->wrong(s);
    CHECK(error == call->error, "MPI_%s gives error class %d, not %d", call->name, error, call->error);
  }
  const int error = call->right(s);
  CHECK(error == MPI_SUCCESS, "MPI_%s gives error class %d", call->name, error);
  if (call->what == REQUEST) MPI_Wait(&s->request, MPI_STATUS_IGNORE);
  if (call->what == COMMUNICATOR) {
    use(s->made, call->name);
    MPI_Comm_free(&s->made);
  }
  if (call->what == WINDOW) {
    MPI_Win_fence(0, s->win);
    MPI_Win_free(&s->win);
  }
  if (strncmp(call->name, "Bcast", 5) == 0 || strcmp(call->name, "Ibcast") == 0) {
    CHECK(s->receive[0] == 17, "MPI_%s gives %d", call->name, s->receive[0]);
  }
  if (strcmp(call->name, "Allreduce") == 0) {
    CHECK(s->receive[0] == s->size * (s->size - 1) / 2, "MPI_%s gives %d", call->name, s->receive[0]);
  }
  if (strstr(call->name, "llgather") != NULL && call->name[0] != 'N' && call->name[1] != 'n') {
    for (int i = 0; i < s->size; ++i)
      CHECK(s->receive[i] == i, "MPI_%s: rank %d gives %d", call->name, i, s->receive[i]);
  }
  use(s->comm, call->name);
}

static void on(MPI_Comm comm) {
  setting_t s = {.comm = comm};
  MPI_Comm_rank(comm, &s.rank);
  MPI_Comm_size(comm, &s.size);
  const int room = 2 * s.size + 2;
  const int periodic = 1;
  s.send = malloc((size_t)room * sizeof *s.send);
  s.receive = malloc((size_t)room * sizeof *s.receive);
  s.ones = malloc((size_t)room * sizeof *s.ones);
  s.places = calloc((size_t)room, sizeof *s.places);
  s.offsets = calloc((size_t)room, sizeof *s.offsets);
  s.types = malloc((size_t)room * sizeof *s.types);
  for (int i = 0; i < room; ++i) {
    s.send[i] = s.rank;
    s.ones[i] = 1;
    s.types[i] = MPI_INT;
  }
  CHECK_ERROR(MPI_SUCCESS, MPI_Cart_create(comm, 1, &s.size, &periodic, 0, &s.grid));
  for (int i = 0; i < CALLS; ++i) {
    for (int way = 0; way < WAYS; ++way) {
      const int apart = strstr(calls[i]->name, "llgatherv") != NULL || strstr(calls[i]->name, "Gatherv") != NULL;
      for (int k = 0; apart && k < s.size; ++k) s.places[k] = k;
      try(&s, calls[i], way);
      for (int k = 0; k < s.size; ++k) s.places[k] = 0;
    }
  }
  MPI_Comm_free(&s.grid);
  free(s.send);
  free(s.receive);
  free(s.ones);
  free(s.places);
  free(s.offsets);
  free(s.types);
}

/// Two groups: MPI_Intercomm_create(), what an intercommunicator does, and MPI_Intercomm_merge().
static void between(int refused) {
  MPI_Comm group, inter, copy, all;
  MPI_Request request;
  int world_size, sum = -1, one = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (world_size < 2) return;
  const int side = world_rank % 2, others = side == 0 ? world_size / 2 : (world_size + 1) / 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &group);
  if (refused) CHECK_ERROR(MPI_ERR_RANK, MPI_Intercomm_create(group, -1, MPI_COMM_WORLD, 1 - side, 5, &inter));
  if (refused) CHECK_ERROR(MPI_ERR_ARG, MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - side, 5, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - side, 5, &inter));
  if (refused) CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, inter));
  CHECK_ERROR(MPI_SUCCESS, MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
  CHECK(sum == others, "a sum of %d of the other group is %d", others, sum);
  if (refused) CHECK_ERROR(MPI_ERR_ARG, MPI_Ibarrier(inter, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_Ibarrier(inter, &request));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (refused) CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_dup(inter, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_dup(inter, &copy));
  if (refused) CHECK_ERROR(MPI_ERR_ARG, MPI_Intercomm_merge(copy, side, NULL));
  CHECK_ERROR(MPI_SUCCESS, MPI_Intercomm_merge(copy, side, &all));
  use(all, "Intercomm_merge");
  MPI_Comm_free(&all);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&group);
}

int main(int argc, char** argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  on(MPI_COMM_WORLD);  // over the machine's networks
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
  on(half);  // by messages
  MPI_Comm_free(&half);
  between(1);
  between(world_rank == 0);
  between(world_rank % 2);
  return check_end();
}
