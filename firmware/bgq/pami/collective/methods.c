/* SPDX-License-Identifier: Apache-2.0 */
/* The table of algorithms, what clients learn of them, and starting an operation. */
#include "firmware/bgq/pami/collective/methods.h"

#include "firmware/bgq/pami/collective/network.h"
#include "firmware/hot.h"

#define BY_STEPS(type_, name_, flags_, function) \
  { .type = PAMI_XFER_##type_, .name = name_, .flags = (flags_) | PAMI_METHOD_ALL_OPS, .describe = function }
#define ACTIVE(type_, name_, function) \
  { .type = PAMI_XFER_##type_, .name = name_, .flags = PAMI_METHOD_ASYNC | PAMI_METHOD_ALL_OPS, .start = function }

enum { kAsync = PAMI_METHOD_ASYNC, kPlace = PAMI_METHOD_INPLACE };

/* Of each operation, those that always work come first, the ones for few bytes before those for many. Names tell what
 * the ends of a message are, as those of the machine's PAMI do: P2P, messages; SHMEM, the node's shared memory; MU,
 * class routes; GI, global interrupts. */
const pami_method_t pami_methods[] = {
    PAMI_NETWORK_BARRIER,
    BY_STEPS(BARRIER, "I0:Dissemination:P2P:P2P", 0, pami_describe_barrier),
    BY_STEPS(BROADCAST, "I0:Binomial:P2P:P2P", kAsync | kPlace, pami_describe_broadcast),
    BY_STEPS(BROADCAST, "I0:ScatterAllgather:P2P:P2P", kAsync | kPlace, pami_describe_broadcast_ring),
    PAMI_NETWORK_BROADCAST,
    BY_STEPS(ALLREDUCE, "I0:RecursiveDoubling:P2P:P2P", kPlace, pami_describe_allreduce),
    BY_STEPS(ALLREDUCE, "I0:Ring:P2P:P2P", kPlace, pami_describe_allreduce_ring),
    PAMI_NETWORK_ALLREDUCE,
    BY_STEPS(REDUCE, "I0:Binomial:P2P:P2P", kAsync | kPlace, pami_describe_reduce),
    PAMI_NETWORK_REDUCE,
    BY_STEPS(ALLGATHER, "I0:Bruck:P2P:P2P", kPlace, pami_describe_allgather_bruck),
    BY_STEPS(ALLGATHER, "I0:Ring:P2P:P2P", kPlace, pami_describe_allgather),
    BY_STEPS(ALLGATHERV, "I0:Ring:P2P:P2P", kPlace, pami_describe_allgatherv),
    BY_STEPS(ALLGATHERV_INT, "I0:Ring:P2P:P2P", kPlace, pami_describe_allgatherv_int),
    BY_STEPS(SCATTER, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_scatter),
    BY_STEPS(SCATTERV, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_scatterv),
    BY_STEPS(SCATTERV_INT, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_scatterv_int),
    BY_STEPS(GATHER, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_gather),
    BY_STEPS(GATHERV, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_gatherv),
    BY_STEPS(GATHERV_INT, "I0:Linear:P2P:P2P", kAsync | kPlace, pami_describe_gatherv_int),
    BY_STEPS(ALLTOALL, "I0:Pairwise:P2P:P2P", 0, pami_describe_alltoall),
    BY_STEPS(ALLTOALLV, "I0:Pairwise:P2P:P2P", 0, pami_describe_alltoallv),
    BY_STEPS(ALLTOALLV_INT, "I0:Pairwise:P2P:P2P", 0, pami_describe_alltoallv_int),
    BY_STEPS(SCAN, "I0:RecursiveDoubling:P2P:P2P", kAsync | kPlace, pami_describe_scan),
    BY_STEPS(REDUCE_SCATTER, "I0:Pairwise:P2P:P2P", kPlace, pami_describe_reduce_scatter),
    ACTIVE(AMBROADCAST, "I0:Binomial:AM:P2P", pami_start_ambroadcast),
    ACTIVE(AMSCATTER, "I0:Linear:AM:P2P", pami_start_amscatter),
    ACTIVE(AMGATHER, "I0:Linear:AM:P2P", pami_start_amgather),
    ACTIVE(AMREDUCE, "I0:Linear:AM:P2P", pami_start_amreduce),
};
const unsigned pami_method_count = sizeof pami_methods / sizeof pami_methods[0];

bool pami_geometry_choose(pami_geometry_impl_t* geometry) {
  if (geometry->choices) return true; /* handles stay; what is offered is asked anew */
  geometry->choices = malloc(pami_method_count * sizeof *geometry->choices);
  if (geometry->choices == NULL) return false;
  for (unsigned i = 0; i < pami_method_count; ++i) {
    geometry->choices[i] = (pami_choice_t){geometry, &pami_methods[i]};
  }
  return true;
}

static bool offered(const pami_geometry_impl_t* geometry, const pami_method_t* method) {
  return method->offered == NULL || method->offered(geometry);
}

pami_result_t PAMI_Geometry_algorithms_num(pami_geometry_t geometry, pami_xfer_type_t coll_type,
                                           size_t* lists_lengths) {
  if (geometry == NULL || lists_lengths == NULL) return pami_error(PAMI_INVAL, "no geometry, or nowhere to count");
  if ((unsigned)coll_type >= PAMI_XFER_COUNT) {
    return pami_error(PAMI_INVAL, "there is no collective operation %d", (int)coll_type);
  }
  lists_lengths[0] = lists_lengths[1] = 0;
  for (unsigned i = 0; i < pami_method_count; ++i) {
    const pami_method_t* method = &pami_methods[i];
    if (method->type == coll_type && offered(geometry, method))
      ++lists_lengths[(method->flags & PAMI_METHOD_QUERY) != 0];
  }
  return PAMI_SUCCESS;
}

static pami_metadata_t metadata(const pami_method_t* method) {
  pami_metadata_t data = {.name = (char*)method->name, .version = 1, .check_fn = method->check};
  data.range_lo = method->range_lo;
  data.range_hi = method->range_hi ? method->range_hi : (size_t)-1;
  data.send_min_align = data.recv_min_align = method->align ? method->align : 1;
  data.check_correct.values.checkrequired = (method->flags & PAMI_METHOD_QUERY) != 0;
  data.check_correct.values.rangeminmax = method->range_hi != 0;
  data.check_correct.values.sendminalign = data.check_correct.values.recvminalign = method->align > 1;
  data.check_correct.values.alldtop = (method->flags & PAMI_METHOD_ALL_OPS) != 0;
  data.check_correct.values.contigsflags = data.check_correct.values.contigrflags =
      (method->flags & PAMI_METHOD_QUERY) != 0;
  data.check_correct.values.inplace = (method->flags & PAMI_METHOD_INPLACE) != 0;
  data.check_correct.values.asyncflowctl = (method->flags & PAMI_METHOD_ASYNC) != 0;
  data.check_correct.values.oneatatime = 0;
  data.check_correct.values.global_order = (method->flags & PAMI_METHOD_HARDWARE) != 0;
  data.check_perf.values.hw_accel = (method->flags & PAMI_METHOD_HARDWARE) != 0;
  data.range_hi_perf = data.range_hi;
  data.range_lo_perf = data.range_lo;
  data.min_align_perf = data.send_min_align;
  return data;
}

pami_result_t PAMI_Geometry_algorithms_query(pami_geometry_t geometry, pami_xfer_type_t colltype,
                                             pami_algorithm_t* algs0, pami_metadata_t* mdata0, size_t num0,
                                             pami_algorithm_t* algs1, pami_metadata_t* mdata1, size_t num1) {
  if (geometry == NULL) return pami_error(PAMI_INVAL, "no geometry");
  if ((unsigned)colltype >= PAMI_XFER_COUNT) {
    return pami_error(PAMI_INVAL, "there is no collective operation %d", (int)colltype);
  }
  pami_algorithm_t* const algorithms[2] = {algs0, algs1};
  pami_metadata_t* const data[2] = {mdata0, mdata1};
  const size_t room[2] = {num0, num1};
  size_t count[2] = {0, 0};
  for (unsigned i = 0; i < pami_method_count; ++i) {
    const pami_method_t* method = &pami_methods[i];
    if (method->type != colltype || !offered(geometry, method)) continue;
    const unsigned list = (method->flags & PAMI_METHOD_QUERY) != 0;
    if (count[list] == room[list]) continue;
    if (algorithms[list]) {
      algorithms[list][count[list]] = (pami_algorithm_t) & ((pami_geometry_impl_t*)geometry)->choices[i];
    }
    if (data[list]) data[list][count[list]] = metadata(method);
    ++count[list];
  }
  return PAMI_SUCCESS;
}

HOT_OF_COLLECTIVES pami_result_t PAMI_Collective(pami_context_t context_, pami_xfer_t* cmd) {
  pami_context_impl_t* context = context_;
  if (context == NULL || cmd == NULL || cmd->algorithm == 0) {
    return pami_error(PAMI_INVAL, "a collective operation needs a context and an algorithm");
  }
  const pami_choice_t* choice = (const pami_choice_t*)cmd->algorithm;
  pami_geometry_impl_t* geometry = choice->geometry;
  const pami_method_t* method = choice->method;
  if (geometry->rank[context->offset] == PAMI_NO_RANK) {
    return pami_error(PAMI_INVAL, "context %u of task %u is no member of geometry %u", context->offset,
                      pami_task_of(context->self), geometry->id);
  }
  if (method->start) return method->start(context, geometry, cmd);
  uint32_t* sequence = &geometry->sequence[context->offset];
  pami_schedule_t* schedule = pami_schedule_make(context, geometry, *sequence, cmd->cb_done, cmd->cookie);
  if (schedule == NULL) return PAMI_ENOMEM;
  const pami_result_t result = method->describe(schedule, &cmd->cmd);
  if (result != PAMI_SUCCESS) {
    pami_schedule_give(schedule);
    return result == PAMI_INVAL ? pami_error(result, "arguments of collective operation %s", method->name) : result;
  }
  *sequence = (*sequence + 1) % PAMI_SEQUENCES;
  return pami_schedule_start(schedule);
}
