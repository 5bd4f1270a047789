// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes by PAMI's of the world geometry, and those of parts by geometries of their
// own: the algorithms whose combining and copying the network's units do. What decides is the same at all processes:
// the environment, what is combined and how much.
#include "firmware/mpi/transport/bgq/bgq.h"
#include "firmware/mpi/tree_plan.h"

enum { LINE = 128 };  // of the L2: what the network's units are best at

static mpit_bgq_ways_t job;

static inline const mpit_bgq_ways_t* ways_of(const mpit_part_t* of) {
  return of != NULL ? &of->ways : &job;
}

/// One of the first list of an operation, which always works, or of the second, which has to be asked.
static void look(pami_geometry_t geometry, pami_xfer_type_t operation, const size_t counts[2], int list,
                 mpit_bgq_way_t* way) {
  pami_algorithm_t* algorithms = mpii_allocate(counts[list] * sizeof *algorithms);
  pami_metadata_t* descriptions = mpii_allocate(counts[list] * sizeof *descriptions);
  mpit_bgq_check(
      list == 0
          ? PAMI_Geometry_algorithms_query(geometry, operation, algorithms, descriptions, counts[0], NULL, NULL, 0)
          : PAMI_Geometry_algorithms_query(geometry, operation, NULL, NULL, 0, algorithms, descriptions, counts[1]),
      "PAMI_Geometry_algorithms_query");
  for (size_t i = 0; i < counts[list] && way->algorithm == 0; ++i) {
    if (!descriptions[i].check_perf.values.hw_accel) continue;
    *way = (mpit_bgq_way_t){algorithms[i], descriptions[i].check_fn};
  }
  mpii_free(algorithms);
  mpii_free(descriptions);
}

/// The first algorithm of the network's units.
static mpit_bgq_way_t by_network(pami_geometry_t geometry, pami_xfer_type_t operation) {
  size_t counts[2];
  mpit_bgq_way_t way = {0};
  mpit_bgq_check(PAMI_Geometry_algorithms_num(geometry, operation, counts), "PAMI_Geometry_algorithms_num");
  for (int list = 0; list < 2; ++list) {
    if (counts[list] != 0) look(geometry, operation, counts, list, &way);
  }
  return way;
}

/// The first that always works.
static mpit_bgq_way_t by_any(pami_geometry_t world, pami_xfer_type_t operation) {
  mpit_bgq_way_t way = {0};
  mpit_bgq_check(PAMI_Geometry_algorithms_query(world, operation, &way.algorithm, NULL, 1, NULL, NULL, 0),
                 "PAMI_Geometry_algorithms_query");
  return way;
}

mpit_bgq_ways_t mpit_bgq_ways(pami_geometry_t geometry) {
  return (mpit_bgq_ways_t){.barrier = by_network(geometry, PAMI_XFER_BARRIER),
                           .broadcast = by_network(geometry, PAMI_XFER_BROADCAST),
                           .allreduce = by_network(geometry, PAMI_XFER_ALLREDUCE),
                           .reduce = by_network(geometry, PAMI_XFER_REDUCE)};
}

void mpit_bgq_networks_init(void) {
  pami_geometry_t world;
  mpit_bgq_check(PAMI_Geometry_world(mpit_bgq_client, &world), "PAMI_Geometry_world");
  job = mpit_bgq_ways(world);
  if (job.barrier.algorithm == 0) job.barrier = by_any(world, PAMI_XFER_BARRIER);
}

static bool fits(const mpit_bgq_way_t* way, pami_xfer_t* operation) {
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

bool mpit_bgq_barrier(const mpit_part_t* of) {
  pami_xfer_t operation = {.algorithm = ways_of(of)->barrier.algorithm};
  if (operation.algorithm == 0) return false;
  perform(&operation);
  return true;
}

void mpit_meet(void) {
  while (mpit_bgq_is_sending()) {
    mpit_advance();
    mpii_give_way();
  }
  mpit_bgq_barrier(NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Broadcasts

static pami_xfer_t broadcast_of(void* data, size_t bytes, uint32_t root) {
  return (pami_xfer_t){
      .cmd.xfer_broadcast = {.root = mpit_bgq_endpoint(root), .buf = data, .type = PAMI_TYPE_BYTE, .typecount = bytes}};
}

bool mpit_broadcasts(const mpit_part_t* of, size_t bytes) {
  // Whether it fits is for all processes to know alike: for an aligned address, which the algorithms do not ask for.
  static char any[LINE] __attribute__((aligned(LINE)));
  pami_xfer_t operation = broadcast_of(any, bytes, 0);
  return bytes != 0 && bytes <= mpit_bgq_limits.bcast_route && fits(&ways_of(of)->broadcast, &operation);
}

void mpit_broadcast(const mpit_part_t* of, void* data, size_t bytes, uint32_t root) {
  pami_xfer_t operation = broadcast_of(data, bytes, root);
  operation.algorithm = ways_of(of)->broadcast.algorithm;
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
  return (pami_xfer_t){.cmd.xfer_allreduce = {.sndbuf = (char*)(uintptr_t)in,
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
  return (pami_xfer_t){.cmd.xfer_reduce = {.root = mpit_bgq_endpoint(root),
                                           .sndbuf = (char*)(uintptr_t)in,
                                           .stype = type,
                                           .stypecount = count,
                                           .rcvbuf = out,
                                           .rtype = type,
                                           .rtypecount = count,
                                           .op = function_of(plan->reduction),
                                           .commutative = 1}};
}

/// How the network performs a reduction, and whose: what mpii_tree_reduce() is given is the first member.
typedef struct {
  mpii_tree_plan_t plan;
  const mpit_part_t* of;
} planned_t;

/// Returns whether the network performs the reduction, and then how.
static bool find_plan(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op, planned_t* planned) {
  static char any[LINE] __attribute__((aligned(LINE)));
  const uint64_t bytes = (uint64_t)count * mpii_basic_size(element);
  if (bytes == 0 || bytes > mpit_bgq_limits.reduce_route) return false;
  planned->of = of;
  planned->plan = mpii_tree_plan_of(op, element);
  const mpii_tree_plan_t* plan = &planned->plan;
  if (plan->way == MPII_TREE_NOT_AT_ALL) return false;
  pami_xfer_t to_all = allreduce_of(any, any, count, plan), to_one = reduce_of(any, any, count, plan, 0);
  const mpit_bgq_ways_t* ways = ways_of(of);
  return fits(&ways->allreduce, &to_all) && fits(&ways->reduce, &to_one);
}

bool mpit_reduces(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op) {
  planned_t planned;
  return find_plan(of, count, element, op, &planned);
}

static void mpit_over_tree(const void* in, void* out, uint32_t count, const mpii_tree_plan_t* plan, int root) {
  const mpit_bgq_ways_t* ways = ways_of(((const planned_t*)plan)->of);
  pami_xfer_t operation =
      root < 0 ? allreduce_of(in, out, count, plan) : reduce_of(in, out, count, plan, (uint32_t)root);
  operation.algorithm = root < 0 ? ways->allreduce.algorithm : ways->reduce.algorithm;
  perform(&operation);
}

bool mpit_reduce(const mpit_part_t* of, const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op,
                 int64_t root) {
  planned_t planned;
  if (!find_plan(of, count, element, op, &planned)) return false;
  mpii_tree_reduce(in, out, count, element, &planned.plan, (int)root);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------

bool mpit_allgathers(const mpit_part_t* of, size_t bytes, bool in_order) {
  (void)in_order;
  return bytes != 0 && bytes <= mpit_bgq_limits.allgather_route &&
         mpit_reduces(of, (bytes + 3) / 4, MPII_UINT32, MPI_BOR);
}

/// The blocks of others are zero here: the result is the OR of all processes' buffers.
void mpit_allgather(const mpit_part_t* of, void* blocks, const uint32_t* sizes, size_t bytes) {
  (void)sizes;
  const planned_t unite = {{MPII_TREE_AS_IT_IS, MPII_TREE_UINT32, MPII_TREE_OR, 1}, of};
  mpit_over_tree(blocks, blocks, (uint32_t)((bytes + 3) / 4), &unite.plan, -1);
}

bool mpit_alltoalls(size_t bytes) {
  (void)bytes;
  return false;
}

void mpit_alltoall(const void* send, void* receive, size_t bytes) {
  (void)send, (void)receive, (void)bytes;
}
