// SPDX-License-Identifier: Apache-2.0
/// Reductions over a tree network, for transports of machines that have one. Such a network combines integers of 4 and
/// 8 bytes and, by programs, doubles. Shorter integers go as longer ones, whose lower bytes are the result; bits in
/// words of any kind; logical values as bits of bytes that are 0 or 1; complex numbers as two doubles. Products, places
/// of extremes, and sums of floats, whose bits would be others than those of a sum of floats, are for messages.
///
/// Functions are inline: a transport includes this in one file.
#ifndef TOROID_FIRMWARE_MPI_TREE_PLAN_H
#define TOROID_FIRMWARE_MPI_TREE_PLAN_H

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

/// What the network combines, and how.
typedef enum {
  MPII_TREE_INT32,
  MPII_TREE_UINT32,
  MPII_TREE_INT64,
  MPII_TREE_UINT64,
  MPII_TREE_DOUBLE,
  MPII_TREE_ELEMENTS
} mpii_tree_element_t;

typedef enum {
  MPII_TREE_SUM,
  MPII_TREE_MAX,
  MPII_TREE_MIN,
  MPII_TREE_AND,
  MPII_TREE_OR,
  MPII_TREE_XOR
} mpii_tree_reduction_t;

/// What the elements of a reduction become.
typedef enum {
  MPII_TREE_AS_IT_IS,
  MPII_TREE_AS_BITS,
  MPII_TREE_AS_WORDS,
  MPII_TREE_AS_LOGICAL,
  MPII_TREE_NOT_AT_ALL
} mpii_tree_way_t;

typedef struct {
  mpii_tree_way_t way;
  mpii_tree_element_t element;
  mpii_tree_reduction_t reduction;
  uint32_t parts;  ///< elements of the tree in one of the user's
} mpii_tree_plan_t;

/// The tree's name of an integer, or MPII_TREE_ELEMENTS.
static inline mpii_tree_element_t mpii_tree_element_of(mpii_basic_t basic) {
  switch (basic) {
    case MPII_INT8:
    case MPII_INT16:
    case MPII_INT32:
      return MPII_TREE_INT32;
    case MPII_CHARACTER:  // unsigned on this machine
    case MPII_UINT8:
    case MPII_UINT16:
    case MPII_UINT32:
      return MPII_TREE_UINT32;
    case MPII_INT64:
      return MPII_TREE_INT64;
    case MPII_UINT64:
      return MPII_TREE_UINT64;
    default:
      return MPII_TREE_ELEMENTS;
  }
}

static inline mpii_tree_plan_t mpii_tree_arithmetic(mpii_basic_t basic, uint32_t size,
                                                    mpii_tree_reduction_t reduction) {
  const mpii_tree_element_t integer = mpii_tree_element_of(basic);
  if (integer != MPII_TREE_ELEMENTS)
    return (mpii_tree_plan_t){size < 4 ? MPII_TREE_AS_WORDS : MPII_TREE_AS_IT_IS, integer, reduction, 1};
  if (basic == MPII_FLOAT64) return (mpii_tree_plan_t){MPII_TREE_AS_IT_IS, MPII_TREE_DOUBLE, reduction, 1};
  if (basic == MPII_COMPLEX128 && reduction == MPII_TREE_SUM)
    return (mpii_tree_plan_t){MPII_TREE_AS_IT_IS, MPII_TREE_DOUBLE, reduction, 2};
  return (mpii_tree_plan_t){.way = MPII_TREE_NOT_AT_ALL};
}

/// `op` is known to work on `basic`.
static inline mpii_tree_plan_t mpii_tree_plan_of(MPI_Op op, mpii_basic_t basic) {
  const uint32_t size = mpii_basic_size(basic);
  switch (op) {
    case MPI_SUM:
      return mpii_tree_arithmetic(basic, size, MPII_TREE_SUM);
    case MPI_MAX:
      return mpii_tree_arithmetic(basic, size, MPII_TREE_MAX);
    case MPI_MIN:
      return mpii_tree_arithmetic(basic, size, MPII_TREE_MIN);
    case MPI_BAND:
      return (mpii_tree_plan_t){MPII_TREE_AS_BITS, MPII_TREE_UINT32, MPII_TREE_AND, 1};
    case MPI_BOR:
      return (mpii_tree_plan_t){MPII_TREE_AS_BITS, MPII_TREE_UINT32, MPII_TREE_OR, 1};
    case MPI_BXOR:
      return (mpii_tree_plan_t){MPII_TREE_AS_BITS, MPII_TREE_UINT32, MPII_TREE_XOR, 1};
    case MPI_LAND:
      return (mpii_tree_plan_t){MPII_TREE_AS_LOGICAL, MPII_TREE_UINT32, MPII_TREE_AND, 1};
    case MPI_LOR:
      return (mpii_tree_plan_t){MPII_TREE_AS_LOGICAL, MPII_TREE_UINT32, MPII_TREE_OR, 1};
    case MPI_LXOR:
      return (mpii_tree_plan_t){MPII_TREE_AS_LOGICAL, MPII_TREE_UINT32, MPII_TREE_XOR, 1};
    default:
      return (mpii_tree_plan_t){.way = MPII_TREE_NOT_AT_ALL};
  }
}

/// The including file's: performs a reduction of `count` elements of the tree. `root` is -1: all get the result; `out`
/// is NULL if this process gets none.
static void mpit_over_tree(const void* in, void* out, uint32_t count, const mpii_tree_plan_t* plan, int root);

static inline void mpii_tree_widen(const void* from, uint32_t* to, uint32_t count, mpii_basic_t basic) {
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

static inline void mpii_tree_narrow(const uint32_t* from, void* to, uint32_t count, uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    if (size == 1) {
      ((uint8_t*)to)[i] = (uint8_t)from[i];
    } else {
      ((uint16_t*)to)[i] = (uint16_t)from[i];
    }
  }
}

/// Whether each element is 0 or not, a byte each.
static inline void mpii_tree_to_logical(const void* from, uint8_t* to, uint32_t count, uint32_t size) {
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

static inline void mpii_tree_from_logical(const uint8_t* from, void* to, uint32_t count, uint32_t size) {
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
static inline void mpii_tree_by_words(const void* send, void* receive, uint32_t count, mpii_basic_t basic,
                                      const mpii_tree_plan_t* plan, int root) {
  const uint32_t size = mpii_basic_size(basic);
  uint32_t words = count;
  if (plan->way == MPII_TREE_AS_BITS) words = (uint32_t)(((uint64_t)count * size + 3) / 4);
  if (plan->way == MPII_TREE_AS_LOGICAL) words = (uint32_t)(((uint64_t)count + 3) / 4);
  uint32_t* all = mpii_allocate_aligned((size_t)words * sizeof *all);
  if (plan->way == MPII_TREE_AS_WORDS) mpii_tree_widen(send, all, count, basic);
  if (plan->way == MPII_TREE_AS_BITS) memcpy(all, send, (size_t)count * size);
  if (plan->way == MPII_TREE_AS_LOGICAL) mpii_tree_to_logical(send, (uint8_t*)all, count, size);
  mpit_over_tree(all, receive != NULL ? all : NULL, words, plan, root);
  if (receive != NULL) {
    if (plan->way == MPII_TREE_AS_WORDS) mpii_tree_narrow(all, receive, count, size);
    if (plan->way == MPII_TREE_AS_BITS) memcpy(receive, all, (size_t)count * size);
    if (plan->way == MPII_TREE_AS_LOGICAL) mpii_tree_from_logical((const uint8_t*)all, receive, count, size);
  }
  free(all);
}

/// mpit_reduce() by a plan that the network performs.
static inline void mpii_tree_reduce(const void* in, void* out, size_t count, mpii_basic_t element,
                                    const mpii_tree_plan_t* plan, int root) {
  const uint32_t size = mpii_basic_size(element);
  const bool words = size % 4 == 0 && ((uintptr_t)in | (uintptr_t)out) % 4 == 0;
  if (plan->way == MPII_TREE_AS_IT_IS) {
    mpit_over_tree(in, out, (uint32_t)count * plan->parts, plan, root);
  } else if (plan->way == MPII_TREE_AS_BITS && words) {
    mpit_over_tree(in, out, (uint32_t)count * (size / 4), plan, root);
  } else {
    mpii_tree_by_words(in, out, (uint32_t)count, element, plan, root);
  }
}

#endif
