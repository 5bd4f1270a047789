// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes over the machine's networks: the global interrupts, the tree, and the torus
// with its packets that are deposited along a line. What decides is the same at all processes: the environment, and the
// size of what is moved.
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/tree.h"
#include "firmware/mpi/object.h"
#include "firmware/mpi/transport/bgl/bgl.h"

static bool broadcasts_by_tree(size_t bytes) {
  return bglml_tree_available() && bytes <= mpit_bgl_limits.bcast_tree;
}

bool mpit_broadcasts(size_t bytes) {
  return bytes != 0 && (broadcasts_by_tree(bytes) || bytes >= mpit_bgl_limits.bcast_torus);
}

void mpit_broadcast(void* data, size_t bytes, uint32_t root) {
  if (broadcasts_by_tree(bytes)) {
    bglml_tree_broadcast(data, bytes, root);
  } else {
    bglml_broadcast(data, bytes, root, BGLML_BROADCAST_DEPOSIT);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Reductions. The tree knows integers of 4 and 8 bytes and doubles. Shorter integers go as longer ones, whose lower
// bytes are the result; bits in words of any kind; logical values as bits of bytes that are 0 or 1; complex numbers as
// two doubles. Products, places of extremes, and sums of floats, whose bits would be others than those of a sum of
// floats, are for messages.

typedef enum { AS_IT_IS, AS_BITS, AS_WORDS, AS_LOGICAL, NOT_AT_ALL } way_t;

typedef struct {
  way_t way;
  bglml_element_t element;
  bglml_reduction_t reduction;
  uint32_t parts;  ///< elements of the tree in one of the user's
} plan_t;

/// The tree's name of an integer, or BGLML_ELEMENTS.
static bglml_element_t element_of(mpii_basic_t basic) {
  switch (basic) {
    case MPII_INT8:
    case MPII_INT16:
    case MPII_INT32:
      return BGLML_INT32;
    case MPII_CHARACTER:  // unsigned on this machine
    case MPII_UINT8:
    case MPII_UINT16:
    case MPII_UINT32:
      return BGLML_UINT32;
    case MPII_INT64:
      return BGLML_INT64;
    case MPII_UINT64:
      return BGLML_UINT64;
    default:
      return BGLML_ELEMENTS;
  }
}

static plan_t arithmetic(mpii_basic_t basic, uint32_t size, bglml_reduction_t reduction) {
  const bglml_element_t integer = element_of(basic);
  if (integer != BGLML_ELEMENTS) return (plan_t){size < 4 ? AS_WORDS : AS_IT_IS, integer, reduction, 1};
  if (basic == MPII_FLOAT64) return (plan_t){AS_IT_IS, BGLML_DOUBLE, reduction, 1};
  if (basic == MPII_COMPLEX128 && reduction == BGLML_SUM) return (plan_t){AS_IT_IS, BGLML_DOUBLE, reduction, 2};
  return (plan_t){.way = NOT_AT_ALL};
}

/// `op` is known to work on `basic`.
static plan_t plan_of(MPI_Op op, mpii_basic_t basic) {
  const uint32_t size = mpii_basic_size(basic);
  switch (op) {
    case MPI_SUM:
      return arithmetic(basic, size, BGLML_SUM);
    case MPI_MAX:
      return arithmetic(basic, size, BGLML_MAX);
    case MPI_MIN:
      return arithmetic(basic, size, BGLML_MIN);
    case MPI_BAND:
      return (plan_t){AS_BITS, BGLML_UINT32, BGLML_AND, 1};
    case MPI_BOR:
      return (plan_t){AS_BITS, BGLML_UINT32, BGLML_OR, 1};
    case MPI_BXOR:
      return (plan_t){AS_BITS, BGLML_UINT32, BGLML_XOR, 1};
    case MPI_LAND:
      return (plan_t){AS_LOGICAL, BGLML_UINT32, BGLML_AND, 1};
    case MPI_LOR:
      return (plan_t){AS_LOGICAL, BGLML_UINT32, BGLML_OR, 1};
    case MPI_LXOR:
      return (plan_t){AS_LOGICAL, BGLML_UINT32, BGLML_XOR, 1};
    default:
      return (plan_t){.way = NOT_AT_ALL};
  }
}

/// Returns whether the tree performs the reduction, and then how.
static bool find_plan(size_t count, mpii_basic_t element, MPI_Op op, plan_t* plan) {
  const uint64_t bytes = (uint64_t)count * mpii_basic_size(element);
  if (!bglml_tree_available() || bytes == 0 || bytes > mpit_bgl_limits.reduce_tree) return false;
  *plan = plan_of(op, element);
  if (plan->way == NOT_AT_ALL) return false;
  const bool sum = plan->element == BGLML_DOUBLE && plan->reduction == BGLML_SUM;
  return !sum || bytes <= mpit_bgl_limits.sum_tree;
}

bool mpit_reduces(size_t count, mpii_basic_t element, MPI_Op op) {
  plan_t plan;
  return find_plan(count, element, op, &plan);
}

/// `root` is -1: all.
static void over_tree(const void* in, void* out, uint32_t count, const plan_t* plan, int root) {
  if (plan->element == BGLML_DOUBLE && plan->reduction == BGLML_SUM && count <= mpit_bgl_limits.sum_wide) {
    // All get the result; if only a root needs it, the others receive it in temporary memory.
    void* place = out != NULL ? out : mpii_allocate(count * sizeof(double));
    bglml_tree_sum_double(in, place, count, BGLML_DOUBLE_WIDE);
    if (out == NULL) free(place);
  } else if (root < 0) {
    bglml_tree_allreduce(in, out, count, plan->element, plan->reduction);
  } else {
    bglml_tree_reduce(in, out, count, plan->element, plan->reduction, (uint32_t)root);
  }
}

static void widen(const void* from, uint32_t* to, uint32_t count, mpii_basic_t basic) {
  const uint8_t* bytes = from;
  const uint16_t* halves = from;
  for (uint32_t i = 0; i < count; ++i) {
    switch (basic) {
      case MPII_INT8:
        to[i] = (uint32_t)(int32_t)(int8_t)bytes[i];
        break;
      case MPII_INT16:
        to[i] = (uint32_t)(int32_t)(int16_t)halves[i];
        break;
      case MPII_UINT16:
        to[i] = halves[i];
        break;
      default:
        to[i] = bytes[i];
    }
  }
}

static void narrow(const uint32_t* from, void* to, uint32_t count, uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    if (size == 1) {
      ((uint8_t*)to)[i] = (uint8_t)from[i];
    } else {
      ((uint16_t*)to)[i] = (uint16_t)from[i];
    }
  }
}

/// Whether each element is 0 or not, a byte each.
static void to_logical(const void* from, uint8_t* to, uint32_t count, uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    switch (size) {
      case 1:
        to[i] = ((const uint8_t*)from)[i] != 0;
        break;
      case 2:
        to[i] = ((const uint16_t*)from)[i] != 0;
        break;
      case 4:
        to[i] = ((const uint32_t*)from)[i] != 0;
        break;
      default:
        to[i] = ((const uint64_t*)from)[i] != 0;
    }
  }
}

static void from_logical(const uint8_t* from, void* to, uint32_t count, uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    switch (size) {
      case 1:
        ((uint8_t*)to)[i] = from[i];
        break;
      case 2:
        ((uint16_t*)to)[i] = from[i];
        break;
      case 4:
        ((uint32_t*)to)[i] = from[i];
        break;
      default:
        ((uint64_t*)to)[i] = from[i];
    }
  }
}

/// By way of words that are made of the elements, and made into elements.
static void by_words(const void* send, void* receive, uint32_t count, mpii_basic_t basic, const plan_t* plan,
                     int root) {
  const uint32_t size = mpii_basic_size(basic);
  uint32_t words = count;
  if (plan->way == AS_BITS) words = (uint32_t)(((uint64_t)count * size + 3) / 4);
  if (plan->way == AS_LOGICAL) words = (uint32_t)(((uint64_t)count + 3) / 4);
  uint32_t* all = mpii_allocate_aligned((size_t)words * sizeof *all);
  if (plan->way == AS_WORDS) widen(send, all, count, basic);
  if (plan->way == AS_BITS) memcpy(all, send, (size_t)count * size);
  if (plan->way == AS_LOGICAL) to_logical(send, (uint8_t*)all, count, size);
  over_tree(all, receive != NULL ? all : NULL, words, plan, root);
  if (receive != NULL) {
    if (plan->way == AS_WORDS) narrow(all, receive, count, size);
    if (plan->way == AS_BITS) memcpy(receive, all, (size_t)count * size);
    if (plan->way == AS_LOGICAL) from_logical((const uint8_t*)all, receive, count, size);
  }
  free(all);
}

bool mpit_reduce(const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op, int64_t root) {
  plan_t plan;
  if (!find_plan(count, element, op, &plan)) return false;
  const uint32_t size = mpii_basic_size(element);
  const bool words = size % 4 == 0 && ((uintptr_t)in | (uintptr_t)out) % 4 == 0;
  if (plan.way == AS_IT_IS) {
    over_tree(in, out, count * plan.parts, &plan, (int)root);
  } else if (plan.way == AS_BITS && words) {
    over_tree(in, out, count * (size / 4), &plan, (int)root);
  } else {
    by_words(in, out, count, element, &plan, (int)root);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------

bool mpit_allgathers(size_t bytes, bool in_order) {
  if (bytes == 0 || bytes > BGLML_TREE_MAX - 4) return false;
  return (bglml_tree_available() && bytes <= mpit_bgl_limits.allgather_tree) ||
         (in_order && bytes >= mpit_bgl_limits.allgather_torus);
}

void mpit_allgather(void* blocks, const uint32_t* sizes, size_t bytes) {
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
