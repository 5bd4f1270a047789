// SPDX-License-Identifier: Apache-2.0
// Collective operations of all processes over the machine's networks: the global interrupts, the tree, and the torus
// with its packets that are deposited along a line. What decides is the same at all processes: the communicator, the
// environment, and the size of what is moved.
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/tree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// Blocking calls on communicators of all processes.
static bool usable(const bglmpi_call_t* call) {
  const bglmpi_comm_t* comm = call->comm;
  return call->request == NULL && comm->complete && comm->size > 1 && bglmpi_limits()->networks;
}

/// The machine's rank of a root; -1, all, stays.
static int place_of(const bglmpi_call_t* call, int root) {
  return root < 0 ? root : (int)bglmpi_world_rank(call->comm, root);
}

static bool usable_tree(const bglmpi_call_t* call) {
  return usable(call) && bglml_tree_available();
}

bool bglmpi_network_barrier(const bglmpi_call_t* call) {
  if (!usable(call) || !bglml_barrier_is_wired()) return false;
  bglml_barrier();
  return true;
}

/// A buffer's bytes in one piece: where they lie, or a copy.
static uint8_t* pieced(const void* buffer, uint32_t count, const bglmpi_datatype_t* datatype, bool filled) {
  if (datatype->dense) return (uint8_t*)(uintptr_t)buffer + datatype->blocks[0].offset;
  uint8_t* copy = bglmpi_allocate_aligned((size_t)count * datatype->size);
  if (filled) bglmpi_pack(buffer, count, datatype, copy);
  return copy;
}

bool bglmpi_network_bcast(const bglmpi_call_t* call, void* buffer, uint32_t count, const bglmpi_datatype_t* datatype,
                          int root) {
  if (!usable(call)) return false;
  const uint32_t bytes = count * datatype->size;
  const bool tree = bglml_tree_available() && bytes <= bglmpi_limits()->bcast_tree;
  if (bytes == 0 || (!tree && bytes < bglmpi_limits()->bcast_torus)) return false;
  const bool is_root = call->comm->rank == root;
  uint8_t* data = pieced(buffer, count, datatype, is_root);
  if (tree) {
    bglml_tree_broadcast(data, bytes, (uint32_t)place_of(call, root));
  } else {
    bglml_broadcast(data, bytes, (uint32_t)place_of(call, root), BGLML_BROADCAST_DEPOSIT);
  }
  if (!datatype->dense) {
    if (!is_root) bglmpi_unpack(data, bytes, buffer, count, datatype);
    free(data);
  }
  return true;
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
static bglml_element_t element_of(bglmpi_basic_t basic) {
  switch (basic) {
    case BGLMPI_INT8:
    case BGLMPI_INT16:
    case BGLMPI_INT32:
      return BGLML_INT32;
    case BGLMPI_CHARACTER:  // unsigned on this machine
    case BGLMPI_UINT8:
    case BGLMPI_UINT16:
    case BGLMPI_UINT32:
      return BGLML_UINT32;
    case BGLMPI_INT64:
      return BGLML_INT64;
    case BGLMPI_UINT64:
      return BGLML_UINT64;
    default:
      return BGLML_ELEMENTS;
  }
}

static plan_t arithmetic(bglmpi_basic_t basic, uint32_t size, bglml_reduction_t reduction) {
  const bglml_element_t integer = element_of(basic);
  if (integer != BGLML_ELEMENTS) return (plan_t){size < 4 ? AS_WORDS : AS_IT_IS, integer, reduction, 1};
  if (basic == BGLMPI_FLOAT64) return (plan_t){AS_IT_IS, BGLML_DOUBLE, reduction, 1};
  if (basic == BGLMPI_COMPLEX128 && reduction == BGLML_SUM) return (plan_t){AS_IT_IS, BGLML_DOUBLE, reduction, 2};
  return (plan_t){.way = NOT_AT_ALL};
}

/// `op` is known to work on `basic`.
static plan_t plan_of(const bglmpi_op_t* op, bglmpi_basic_t basic) {
  const uint32_t size = bglmpi_basic_size(basic);
  switch (op->predefined) {
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

bool bglmpi_network_reduction_fits(const bglmpi_call_t* call, uint32_t count, const bglmpi_datatype_t* datatype,
                                   const bglmpi_op_t* op) {
  const uint64_t bytes = (uint64_t)count * datatype->size;
  if (!usable_tree(call) || bytes == 0 || bytes > bglmpi_limits()->reduce_tree) return false;
  const plan_t plan = plan_of(op, datatype->basic);
  if (plan.way == NOT_AT_ALL) return false;
  const bool sum = plan.element == BGLML_DOUBLE && plan.reduction == BGLML_SUM;
  return !sum || bytes <= bglmpi_limits()->sum_tree;
}

/// `root` is -1: all.
static void over_tree(const void* in, void* out, uint32_t count, const plan_t* plan, int root) {
  if (plan->element == BGLML_DOUBLE && plan->reduction == BGLML_SUM && count <= bglmpi_limits()->sum_wide) {
    // All get it; where one asks, the others have no place for it.
    void* place = out != NULL ? out : bglmpi_allocate(count * sizeof(double));
    bglml_tree_sum_double(in, place, count, BGLML_DOUBLE_WIDE);
    if (out == NULL) free(place);
  } else if (root < 0) {
    bglml_tree_allreduce(in, out, count, plan->element, plan->reduction);
  } else {
    bglml_tree_reduce(in, out, count, plan->element, plan->reduction, (uint32_t)root);
  }
}

static void widen(const void* from, uint32_t* to, uint32_t count, bglmpi_basic_t basic) {
  const uint8_t* bytes = from;
  const uint16_t* halves = from;
  for (uint32_t i = 0; i < count; ++i) {
    switch (basic) {
      case BGLMPI_INT8:
        to[i] = (uint32_t)(int32_t)(int8_t)bytes[i];
        break;
      case BGLMPI_INT16:
        to[i] = (uint32_t)(int32_t)(int16_t)halves[i];
        break;
      case BGLMPI_UINT16:
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
static void by_words(const void* send, void* receive, uint32_t count, bglmpi_basic_t basic, const plan_t* plan,
                     int root) {
  const uint32_t size = bglmpi_basic_size(basic);
  uint32_t words = count;
  if (plan->way == AS_BITS) words = (uint32_t)(((uint64_t)count * size + 3) / 4);
  if (plan->way == AS_LOGICAL) words = (uint32_t)(((uint64_t)count + 3) / 4);
  uint32_t* all = bglmpi_allocate_aligned((size_t)words * sizeof *all);
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

bool bglmpi_network_reduction(const bglmpi_call_t* call, const void* send, void* receive, uint32_t count,
                              bglmpi_datatype_t* datatype, const bglmpi_op_t* op, int root) {
  if (!bglmpi_network_reduction_fits(call, count, datatype, op)) return false;
  const plan_t plan = plan_of(op, datatype->basic);
  void* out = root < 0 || call->comm->rank == root ? receive : NULL;
  root = place_of(call, root);
  const bool words = datatype->size % 4 == 0 && ((uintptr_t)send | (uintptr_t)out) % 4 == 0;
  if (plan.way == AS_IT_IS) {
    over_tree(send, out, count * plan.parts, &plan, root);
  } else if (plan.way == AS_BITS && words) {
    over_tree(send, out, count * (datatype->size / 4), &plan, root);
  } else {
    by_words(send, out, count, datatype->basic, &plan, root);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------

bool bglmpi_network_allgather_fits(const bglmpi_call_t* call, uint64_t bytes) {
  if (!usable(call) || bytes == 0 || bytes > BGLML_TREE_MAX - 4) return false;
  return (bglml_tree_available() && bytes <= bglmpi_limits()->allgather_tree) ||
         (call->comm->whole && bytes >= bglmpi_limits()->allgather_torus);
}

void bglmpi_network_allgather(uint8_t* blocks, const uint32_t* sizes, uint32_t bytes) {
  if (bglml_tree_available() && bytes <= bglmpi_limits()->allgather_tree) {
    // What the others have is zero here: all blocks are the OR of what everybody has.
    bglml_tree_allreduce(blocks, blocks, (bytes + 3) / 4, BGLML_UINT32, BGLML_OR);
    return;
  }
  const uint32_t size = bglml_size();
  uint32_t* offsets = bglmpi_allocate(size * sizeof *offsets);
  void* workspace = bglmpi_allocate_aligned(bglml_workspace());
  for (uint32_t rank = 1; rank < size; ++rank) offsets[rank] = offsets[rank - 1] + sizes[rank - 1];
  bglml_allgatherv(blocks + offsets[bglml_rank()], blocks, sizes, offsets, workspace);
  free(workspace);
  free(offsets);
}

bool bglmpi_network_alltoall_fits(const bglmpi_call_t* call, uint64_t bytes) {
  return usable(call) && call->comm->whole && bytes != 0 && bytes * (uint32_t)call->comm->size <= BGLML_EAGER_MAX &&
         bytes >= bglmpi_limits()->alltoall_torus;
}

void bglmpi_network_alltoall(const void* send, void* receive, uint32_t bytes) {
  void* workspace = bglmpi_allocate_aligned(bglml_workspace());
  bglml_alltoall(send, receive, bytes, BGLML_ALLTOALL_RANDOM, workspace);
  free(workspace);
}
