// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes by DCMF's global operations, which use the global interrupts and the
// collective network where they can. What decides is the same at all processes: the environment, and the size of what
// is moved.
#include <dcmf_globalcollectives.h>

#include "firmware/mpi/transport/bgp/bgp.h"
#include "firmware/mpi/tree_plan.h"

static DCMF_Protocol_t barrier_port, broadcast_port, allreduce_port;

void mpit_bgp_networks_init(void) {
  DCMF_GlobalBarrier_Configuration_t barrier = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalBcast_Configuration_t broadcast = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t allreduce = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
  mpit_bgp_check(DCMF_GlobalBarrier_register(&barrier_port, &barrier), "DCMF_GlobalBarrier_register");
  mpit_bgp_check(DCMF_GlobalBcast_register(&broadcast_port, &broadcast), "DCMF_GlobalBcast_register");
  mpit_bgp_check(DCMF_GlobalAllreduce_register(&allreduce_port, &allreduce), "DCMF_GlobalAllreduce_register");
}

static void done(void* flag, DCMF_Error_t* error) {
  (void)error;
  *(volatile uint32_t*)flag = 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Barriers

bool mpit_bgp_barrier(void) {
  DCMF_Request_t request;
  volatile uint32_t met = 0;
  mpit_bgp_check(DCMF_GlobalBarrier(&barrier_port, &request, (DCMF_Callback_t){done, (void*)&met}),
                 "DCMF_GlobalBarrier");
  mpit_wait(&met);
  return true;
}

void mpit_meet(void) {
  while (mpit_bgp_sending != 0) {
    DCMF_Messager_advance();
    mpii_give_way();
  }
  mpit_bgp_barrier();
}

// ---------------------------------------------------------------------------------------------------------------
// Broadcasts

bool mpit_broadcasts(const mpit_part_t* of, size_t bytes) {
  (void)of;
  return bytes != 0 && bytes <= mpit_bgp_limits.bcast_tree;
}

void mpit_broadcast(const mpit_part_t* of, void* data, size_t bytes, uint32_t root) {
  (void)of;
  DCMF_Request_t request;
  volatile uint32_t moved = 0;
  mpit_bgp_check(DCMF_GlobalBcast(&broadcast_port, &request, (DCMF_Callback_t){done, (void*)&moved},
                                  DCMF_MATCH_CONSISTENCY, root, data, bytes),
                 "DCMF_GlobalBcast");
  mpit_wait(&moved);
}

// ---------------------------------------------------------------------------------------------------------------
// Reductions

static const DCMF_Dt elements[] = {
    [MPII_TREE_INT32] = DCMF_SIGNED_INT,       [MPII_TREE_UINT32] = DCMF_UNSIGNED_INT,
    [MPII_TREE_INT64] = DCMF_SIGNED_LONG_LONG, [MPII_TREE_UINT64] = DCMF_UNSIGNED_LONG_LONG,
    [MPII_TREE_DOUBLE] = DCMF_DOUBLE,
};

static const DCMF_Op operations[] = {
    [MPII_TREE_SUM] = DCMF_SUM,  [MPII_TREE_MAX] = DCMF_MAX, [MPII_TREE_MIN] = DCMF_MIN,
    [MPII_TREE_AND] = DCMF_BAND, [MPII_TREE_OR] = DCMF_BOR,  [MPII_TREE_XOR] = DCMF_BXOR,
};

static void allreduce(const void* in, void* out, uint32_t count, DCMF_Dt element, DCMF_Op operation, int root) {
  DCMF_Request_t request;
  volatile uint32_t reduced = 0;
  mpit_bgp_check(
      DCMF_GlobalAllreduce(&allreduce_port, &request, (DCMF_Callback_t){done, (void*)&reduced}, DCMF_MATCH_CONSISTENCY,
                           root, (char*)(uintptr_t)in, out, count, element, operation),
      "DCMF_GlobalAllreduce");
  mpit_wait(&reduced);
}

/// Returns whether the network performs the reduction, and then how.
static bool find_plan(size_t count, mpii_basic_t element, MPI_Op op, mpii_tree_plan_t* plan) {
  const uint64_t bytes = (uint64_t)count * mpii_basic_size(element);
  if (bytes == 0 || bytes > mpit_bgp_limits.reduce_tree) return false;
  *plan = mpii_tree_plan_of(op, element);
  if (plan->way == MPII_TREE_NOT_AT_ALL) return false;
  const bool sum = plan->element == MPII_TREE_DOUBLE && plan->reduction == MPII_TREE_SUM;
  return !sum || bytes <= mpit_bgp_limits.sum_tree;
}

bool mpit_reduces(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op) {
  (void)of;
  mpii_tree_plan_t plan;
  return find_plan(count, element, op, &plan);
}

static void mpit_over_tree(const void* in, void* out, uint32_t count, const mpii_tree_plan_t* plan, int root) {
  allreduce(in, out, count, elements[plan->element], operations[plan->reduction], root);
}

bool mpit_reduce(const mpit_part_t* of, const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op,
                 int64_t root) {
  (void)of;
  mpii_tree_plan_t plan;
  if (!find_plan(count, element, op, &plan)) return false;
  mpii_tree_reduce(in, out, count, element, &plan, (int)root);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------

bool mpit_allgathers(const mpit_part_t* of, size_t bytes, bool in_order) {
  (void)of, (void)in_order;
  return bytes != 0 && bytes <= mpit_bgp_limits.allgather_tree;
}

/// The blocks of others are zero here: the result is the OR of all processes' buffers.
void mpit_allgather(const mpit_part_t* of, void* blocks, const uint32_t* sizes, size_t bytes) {
  (void)of, (void)sizes;
  allreduce(blocks, blocks, (uint32_t)((bytes + 3) / 4), DCMF_UNSIGNED_INT, DCMF_BOR, -1);
}

bool mpit_alltoalls(size_t bytes) {
  (void)bytes;
  return false;
}

void mpit_alltoall(const void* send, void* receive, size_t bytes) {
  (void)send, (void)receive, (void)bytes;
}
