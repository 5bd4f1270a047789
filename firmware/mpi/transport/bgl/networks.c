// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes over the machine's networks: the global interrupts, the tree, and the torus
// with its packets that are deposited along a line. What decides is the same at all processes: the environment, and the
// size of what is moved.
#include <stdlib.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/tree.h"
#include "firmware/mpi/transport/bgl/bgl.h"
#include "firmware/mpi/tree_plan.h"

static bool broadcasts_by_tree(size_t bytes) {
  return bglml_tree_available() && bytes <= mpit_bgl_limits.bcast_tree;
}

bool mpit_broadcasts(const mpit_part_t* of, size_t bytes) {
  (void)of;
  return bytes != 0 && (broadcasts_by_tree(bytes) || bytes >= mpit_bgl_limits.bcast_torus);
}

void mpit_broadcast(const mpit_part_t* of, void* data, size_t bytes, uint32_t root) {
  (void)of;
  if (broadcasts_by_tree(bytes)) {
    bglml_tree_broadcast(data, bytes, root);
  } else {
    bglml_broadcast(data, bytes, root, BGLML_BROADCAST_DEPOSIT);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Reductions.

_Static_assert((int)MPII_TREE_INT32 == (int)BGLML_INT32 && (int)MPII_TREE_UINT32 == (int)BGLML_UINT32 &&
                   (int)MPII_TREE_INT64 == (int)BGLML_INT64 && (int)MPII_TREE_UINT64 == (int)BGLML_UINT64 &&
                   (int)MPII_TREE_DOUBLE == (int)BGLML_DOUBLE,
               "the library's numbers of elements are the layer's");
_Static_assert((int)MPII_TREE_SUM == (int)BGLML_SUM && (int)MPII_TREE_MAX == (int)BGLML_MAX &&
                   (int)MPII_TREE_MIN == (int)BGLML_MIN && (int)MPII_TREE_AND == (int)BGLML_AND &&
                   (int)MPII_TREE_OR == (int)BGLML_OR && (int)MPII_TREE_XOR == (int)BGLML_XOR,
               "and so are those of reductions");

/// Returns whether the tree performs the reduction, and then how.
static bool find_plan(size_t count, mpii_basic_t element, MPI_Op op, mpii_tree_plan_t* plan) {
  const uint64_t bytes = (uint64_t)count * mpii_basic_size(element);
  if (!bglml_tree_available() || bytes == 0 || bytes > mpit_bgl_limits.reduce_tree) return false;
  *plan = mpii_tree_plan_of(op, element);
  if (plan->way == MPII_TREE_NOT_AT_ALL) return false;
  const bool sum = plan->element == MPII_TREE_DOUBLE && plan->reduction == MPII_TREE_SUM;
  return !sum || bytes <= mpit_bgl_limits.sum_tree;
}

bool mpit_reduces(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op) {
  (void)of;
  mpii_tree_plan_t plan;
  return find_plan(count, element, op, &plan);
}

static void mpit_over_tree(const void* in, void* out, uint32_t count, const mpii_tree_plan_t* plan, int root) {
  if (plan->element == MPII_TREE_DOUBLE && plan->reduction == MPII_TREE_SUM && count <= mpit_bgl_limits.sum_wide) {
    // All get the result; if only a root needs it, the others receive it in temporary memory.
    void* place = out != NULL ? out : mpii_allocate(count * sizeof(double));
    bglml_tree_sum_double(in, place, count, BGLML_DOUBLE_WIDE);
    if (out == NULL) free(place);
  } else if (root < 0) {
    bglml_tree_allreduce(in, out, count, (bglml_element_t)plan->element, (bglml_reduction_t)plan->reduction);
  } else {
    bglml_tree_reduce(in, out, count, (bglml_element_t)plan->element, (bglml_reduction_t)plan->reduction,
                      (uint32_t)root);
  }
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
  (void)of;
  if (bytes == 0 || bytes > BGLML_TREE_MAX - 4) return false;
  return (bglml_tree_available() && bytes <= mpit_bgl_limits.allgather_tree) ||
         (in_order && bytes >= mpit_bgl_limits.allgather_torus);
}

void mpit_allgather(const mpit_part_t* of, void* blocks, const uint32_t* sizes, size_t bytes) {
  (void)of;
  if (bglml_tree_available() && bytes <= mpit_bgl_limits.allgather_tree) {
    // The blocks of others are zero here: the result is the OR of all processes' buffers.
    bglml_tree_allreduce(blocks, blocks, (bytes + 3) / 4, BGLML_UINT32, BGLML_OR);
    return;
  }
  const uint32_t size = bglml_size();
  uint32_t* offsets = mpii_allocate(size * sizeof *offsets);
  void* workspace = mpii_allocate_aligned(bglml_workspace());
  for (uint32_t rank = 1; rank < size; ++rank) offsets[rank] = offsets[rank - 1] + sizes[rank - 1];
  bglml_allgatherv((const uint8_t*)blocks + offsets[bglml_rank()], blocks, sizes, offsets, workspace);
  free(workspace);
  free(offsets);
}

bool mpit_alltoalls(size_t bytes) {
  return bytes != 0 && (uint64_t)bytes * bglml_size() <= BGLML_EAGER_MAX && bytes >= mpit_bgl_limits.alltoall_torus;
}

void mpit_alltoall(const void* send, void* receive, size_t bytes) {
  void* workspace = mpii_allocate_aligned(bglml_workspace());
  bglml_alltoall(send, receive, bytes, BGLML_ALLTOALL_RANDOM, workspace);
  free(workspace);
}
