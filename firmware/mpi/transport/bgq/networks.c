// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes by PAMI's of the world geometry: those algorithms whose combining and copying
// the network's units do. What decides is the same at all processes: the environment, what is combined and how much.
#include "firmware/mpi/transport/bgq/bgq.h"
#include "firmware/mpi/tree_plan.h"

enum { LINE = 128 };  // of the L2: what the network's units are best at

/// A way to perform an operation.
typedef struct {
  pami_algorithm_t algorithm;   ///< 0: there is none
  pami_metadata_function fits;  ///< NULL: always
} way_t;

static way_t barrier, broadcast, allreduce, reduce;

/// One of the first list of an operation, which always works, or of the second, which has to be asked.
static void look(pami_geometry_t world, pami_xfer_type_t operation, const size_t counts[2], int list, way_t* way) {
  pami_algorithm_t* algorithms = mpii_allocate(counts[list] * sizeof *algorithms);
  pami_metadata_t* descriptions = mpii_allocate(counts[list] * sizeof *descriptions);
  mpit_bgq_check(
      list == 0 ? PAMI_Geometry_algorithms_query(world, operation, algorithms, descriptions, counts[0], NULL, NULL, 0)
                : PAMI_Geometry_algorithms_query(world, operation, NULL, NULL, 0, algorithms, descriptions, counts[1]),
      "PAMI_Geometry_algorithms_query");
  for (size_t i = 0; i < counts[list] && way->algorithm == 0; ++i) {
    if (!descriptions[i].check_perf.values.hw_accel) continue;
    *way = (way_t){algorithms[i], descriptions[i].check_fn};
  }
  mpii_free(algorithms);
  mpii_free(descriptions);
}

/// The first algorithm of the network's units.
static way_t by_network(pami_geometry_t world, pami_xfer_type_t operation) {
  size_t counts[2];
  way_t way = {0};
  mpit_bgq_check(PAMI_Geometry_algorithms_num(world, operation, counts), "PAMI_Geometry_algorithms_num");
  for (int list = 0; list < 2; ++list) {
    if (counts[list] != 0) look(world, operation, counts, list, &way);
  }
  return way;
}

/// The first that always works.
static way_t by_any(pami_geometry_t world, pami_xfer_type_t operation) {
  way_t way = {0};
  mpit_bgq_check(PAMI_Geometry_algorithms_query(world, operation, &way.algorithm, NULL, 1, NULL, NULL, 0),
                 "PAMI_Geometry_algorithms_query");
  return way;
}

void mpit_bgq_networks_init(void) {
  pami_geometry_t world;
  mpit_bgq_check(PAMI_Geometry_world(mpit_bgq_client, &world), "PAMI_Geometry_world");
  barrier = by_network(world, PAMI_XFER_BARRIER);
  if (barrier.algorithm == 0) barrier = by_any(world, PAMI_XFER_BARRIER);
  broadcast = by_network(world, PAMI_XFER_BROADCAST);
  allreduce = by_network(world, PAMI_XFER_ALLREDUCE);
  reduce = by_network(world, PAMI_XFER_REDUCE);
}

static bool fits(const way_t* way, pami_xfer_t* operation) {
  if (way->algorithm == 0) return false;
  operation->algorithm = way->algorithm;
  return way->fits == NULL || way->fits(operation).bitmask == 0;
}

static void done(pami_context_t context, void* flag, pami_result_t result) {
  (void)context, (void)result;
  *(volatile uint32_t*)flag = 1;
}

static void perform(pami_xfer_t* operation) {
  volatile uint32_t performed = 0;
  operation->cb_done = done;
  operation->cookie = (void*)(uintptr_t)&performed;
  mpit_bgq_check(PAMI_Collective(mpit_bgq_context, operation), "PAMI_Collective");
  mpit_wait(&performed);
}

// ---------------------------------------------------------------------------------------------------------------
// Barriers

bool mpit_bgq_barrier(void) {
  pami_xfer_t operation = {.algorithm = barrier.algorithm};
  perform(&operation);
  return true;
}

void mpit_meet(void) {
  while (mpit_bgq_is_sending()) {
    mpit_advance();
    mpii_give_way();
  }
  mpit_bgq_barrier();
}

// ---------------------------------------------------------------------------------------------------------------
// Broadcasts

static pami_xfer_t broadcast_of(void* data, size_t bytes, uint32_t root) {
  return (pami_xfer_t){
      .cmd.xfer_broadcast = {.root = mpit_bgq_endpoint(root), .buf = data, .type = PAMI_TYPE_BYTE, .typecount = bytes}};
}

bool mpit_broadcasts(size_t bytes) {
  // Whether it fits is for all processes to know alike: for an aligned address, which the algorithms do not ask for.
  static char any[LINE] __attribute__((aligned(LINE)));
  pami_xfer_t operation = broadcast_of(any, bytes, 0);
  return bytes != 0 && bytes <= mpit_bgq_limits.bcast_route && fits(&broadcast, &operation);
}

void mpit_broadcast(void* data, size_t bytes, uint32_t root) {
  pami_xfer_t operation = broadcast_of(data, bytes, root);
  operation.algorithm = broadcast.algorithm;
  perform(&operation);
}

// ---------------------------------------------------------------------------------------------------------------
// Reductions

static pami_type_t type_of(mpii_tree_element_t element) {
  switch (element) {
    case MPII_TREE_INT32:
      return PAMI_TYPE_SIGNED_INT;
    case MPII_TREE_UINT32:
      return PAMI_TYPE_UNSIGNED_INT;
    case MPII_TREE_INT64:
      return PAMI_TYPE_SIGNED_LONG_LONG;
    case MPII_TREE_UINT64:
      return PAMI_TYPE_UNSIGNED_LONG_LONG;
    default:
      return PAMI_TYPE_DOUBLE;
  }
}

static pami_data_function function_of(mpii_tree_reduction_t reduction) {
  switch (reduction) {
    case MPII_TREE_SUM:
      return PAMI_DATA_SUM;
    case MPII_TREE_MAX:
      return PAMI_DATA_MAX;
    case MPII_TREE_MIN:
      return PAMI_DATA_MIN;
    case MPII_TREE_AND:
      return PAMI_DATA_BAND;
    case MPII_TREE_OR:
      return PAMI_DATA_BOR;
    default:
      return PAMI_DATA_BXOR;
  }
}

static pami_xfer_t allreduce_of(const void* in, void* out, size_t count, const mpii_tree_plan_t* plan) {
  const pami_type_t type = type_of(plan->element);
  return (pami_xfer_t){.algorithm = allreduce.algorithm,
                       .cmd.xfer_allreduce = {.sndbuf = (char*)(uintptr_t)in,
                                              .stype = type,
                                              .stypecount = count,
                                              .rcvbuf = out,
                                              .rtype = type,
                                              .rtypecount = count,
                                              .op = function_of(plan->reduction),
                                              .commutative = 1}};
}

static pami_xfer_t reduce_of(const void* in, void* out, size_t count, const mpii_tree_plan_t* plan, uint32_t root) {
  const pami_type_t type = type_of(plan->element);
  return (pami_xfer_t){.algorithm = reduce.algorithm,
                       .cmd.xfer_reduce = {.root = mpit_bgq_endpoint(root),
                                           .sndbuf = (char*)(uintptr_t)in,
                                           .stype = type,
                                           .stypecount = count,
                                           .rcvbuf = out,
                                           .rtype = type,
                                           .rtypecount = count,
                                           .op = function_of(plan->reduction),
                                           .commutative = 1}};
}

/// Returns whether the network performs the reduction, and then how.
static bool find_plan(size_t count, mpii_basic_t element, MPI_Op op, mpii_tree_plan_t* plan) {
  static char any[LINE] __attribute__((aligned(LINE)));
  const uint64_t bytes = (uint64_t)count * mpii_basic_size(element);
  if (bytes == 0 || bytes > mpit_bgq_limits.reduce_route) return false;
  *plan = mpii_tree_plan_of(op, element);
  if (plan->way == MPII_TREE_NOT_AT_ALL) return false;
  pami_xfer_t to_all = allreduce_of(any, any, count, plan), to_one = reduce_of(any, any, count, plan, 0);
  return fits(&allreduce, &to_all) && fits(&reduce, &to_one);
}

bool mpit_reduces(size_t count, mpii_basic_t element, MPI_Op op) {
  mpii_tree_plan_t plan;
  return find_plan(count, element, op, &plan);
}

static void mpit_over_tree(const void* in, void* out, uint32_t count, const mpii_tree_plan_t* plan, int root) {
  pami_xfer_t operation =
      root < 0 ? allreduce_of(in, out, count, plan) : reduce_of(in, out, count, plan, (uint32_t)root);
  perform(&operation);
}

bool mpit_reduce(const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op, int64_t root) {
  mpii_tree_plan_t plan;
  if (!find_plan(count, element, op, &plan)) return false;
  mpii_tree_reduce(in, out, count, element, &plan, (int)root);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------

static const mpii_tree_plan_t unite = {MPII_TREE_AS_IT_IS, MPII_TREE_UINT32, MPII_TREE_OR, 1};

bool mpit_allgathers(size_t bytes, bool in_order) {
  (void)in_order;
  return bytes != 0 && bytes <= mpit_bgq_limits.allgather_route && mpit_reduces((bytes + 3) / 4, MPII_UINT32, MPI_BOR);
}

/// The blocks of others are zero here: the result is the OR of all processes' buffers.
void mpit_allgather(void* blocks, const uint32_t* sizes, size_t bytes) {
  (void)sizes;
  mpit_over_tree(blocks, blocks, (uint32_t)((bytes + 3) / 4), &unite, -1);
}

bool mpit_alltoalls(size_t bytes) {
  (void)bytes;
  return false;
}

void mpit_alltoall(const void* send, void* receive, size_t bytes) {
  (void)send, (void)receive, (void)bytes;
}
