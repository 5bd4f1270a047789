// SPDX-License-Identifier: Apache-2.0
// Datatypes for parts of arrays: a block of one, and a process's share of a distributed one.
#include <stdlib.h>

#include "firmware/mpi/type_builder.h"

/// One dimension's indices, as runs of neighbours. Inner dimensions come first.
typedef struct {
  int count;          ///< runs
  int first, stride;  ///< of the runs' beginnings
  int length;         ///< of all runs but the last
  int last;           ///< of the last one
  MPI_Aint step;      ///< bytes from an index to the next
} axis_t;

/// Add what the axes describe, the outermost one first, displaced by `displacement` bytes.
static void add_axes(mpii_builder_t* builder, const mpii_datatype_t* old, const axis_t* axes, int dimension,
                     MPI_Aint displacement) {
  const axis_t* axis = &axes[dimension];
  for (int run = 0; run < axis->count; ++run) {
    const MPI_Aint start = displacement + (axis->first + (MPI_Aint)run * axis->stride) * axis->step;
    const int length = run + 1 == axis->count ? axis->last : axis->length;
    if (dimension == 0) {
      mpii_build_add(builder, old, (uint32_t)length, start);
      continue;
    }
    for (int index = 0; index < length; ++index) {
      add_axes(builder, old, axes, dimension - 1, start + index * axis->step);
    }
  }
}

/// The datatype of the axes, with the whole array's extent.
static MPI_Datatype complete(mpii_builder_t* builder, const mpii_datatype_t* old, const axis_t* axes, int dimensions,
                             MPI_Aint extent) {
  add_axes(builder, old, axes, dimensions - 1, 0);
  builder->datatype->lb_marked = builder->datatype->ub_marked = true;
  builder->lb = 0;
  builder->ub = extent;
  return mpii_build_complete(builder, false);
}

static int check_shape(int dimensions, const int sizes[], int order) {
  if (dimensions < 1) return mpii_fail(NULL, MPI_ERR_ARG, "%d dimensions; there must be 1 or more", dimensions);
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 1) return mpii_fail(NULL, MPI_ERR_ARG, "size %d of dimension %d; it must be 1 or more", sizes[d], d);
  }
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
    return mpii_fail(NULL, MPI_ERR_ARG, "order %d; it must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
  }
  return MPI_SUCCESS;
}

/// The dimension of the array that is axis `axis`: inner ones come last in C, first in Fortran.
static int dimension_of(int axis, int dimensions, int order) {
  return order == MPI_ORDER_C ? dimensions - 1 - axis : axis;
}

int PMPI_Type_create_subarray(int dimensions, const int sizes[], const int subsizes[], const int starts[], int order,
                              MPI_Datatype handle, MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_enter("MPI_Type_create_subarray");
  MPII_TRY(mpii_check_array(NULL, sizes, dimensions, "sizes"));
  MPII_TRY(mpii_check_array(NULL, subsizes, dimensions, "subsizes"));
  MPII_TRY(mpii_check_array(NULL, starts, dimensions, "starts"));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &old));
  MPII_TRY(check_shape(dimensions, sizes, order));
  for (int d = 0; d < dimensions; ++d) {
    if (subsizes[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d]) {
      return mpii_fail(NULL, MPI_ERR_ARG, "%d indices from %d on are no part of the %d of dimension %d", subsizes[d],
                       starts[d], sizes[d], d);
    }
  }
  mpii_builder_t builder;
  mpii_build(&builder, MPI_COMBINER_SUBARRAY, 2 + 3 * (uint32_t)dimensions, 0, 1);
  mpii_build_integer(&builder, dimensions);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, sizes[d]);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, subsizes[d]);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, starts[d]);
  mpii_build_integer(&builder, order);
  mpii_build_datatype(&builder, old);

  axis_t* axes = mpii_allocate((size_t)dimensions * sizeof *axes);
  MPI_Aint step = old->extent;
  for (int axis = 0; axis < dimensions; ++axis) {
    const int d = dimension_of(axis, dimensions, order);
    axes[axis] = (axis_t){1, starts[d], 0, subsizes[d], subsizes[d], step};
    step *= sizes[d];
  }
  *made = complete(&builder, old, axes, dimensions, step);
  free(axes);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_create_subarray);

/// What process `place` of `processes` has of an array of `size` that is dealt out in blocks of `block`.
static axis_t share(int size, int block, int processes, int place, MPI_Aint step) {
  const int64_t first = (int64_t)place * block;
  axis_t axis = {0, place * block, block * processes, block, block, step};
  if (first >= size) return axis;
  const int64_t round = (int64_t)block * processes;
  axis.count = (int)((size - first + round - 1) / round);
  const int64_t rest = size - (first + (axis.count - 1) * round);
  axis.last = rest < block ? (int)rest : block;
  return axis;
}

static int check_distribution(int d, int size, int distribution, int argument, int processes) {
  if (processes < 1) return mpii_fail(NULL, MPI_ERR_ARG, "%d processes along dimension %d", processes, d);
  switch (distribution) {
    case MPI_DISTRIBUTE_NONE:
      if (processes == 1) return MPI_SUCCESS;
      return mpii_fail(NULL, MPI_ERR_ARG, "%d processes along dimension %d, which is not distributed", processes, d);
    case MPI_DISTRIBUTE_BLOCK:
      if (argument == MPI_DISTRIBUTE_DFLT_DARG || (argument > 0 && (int64_t)argument * processes >= size)) {
        return MPI_SUCCESS;
      }
      return mpii_fail(NULL, MPI_ERR_ARG, "%d blocks of %d do not hold the %d indices of dimension %d", processes,
                       argument, size, d);
    case MPI_DISTRIBUTE_CYCLIC:
      if (argument == MPI_DISTRIBUTE_DFLT_DARG || argument > 0) return MPI_SUCCESS;
      return mpii_fail(NULL, MPI_ERR_ARG, "blocks of %d in dimension %d; they must be 1 or more", argument, d);
    default:
      return mpii_fail(NULL, MPI_ERR_ARG, "distribution %d of dimension %d is none of MPI_DISTRIBUTE_", distribution,
                       d);
  }
}

int PMPI_Type_create_darray(int size, int rank, int dimensions, const int sizes[], const int distributions[],
                            const int arguments[], const int processes[], int order, MPI_Datatype handle,
                            MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_enter("MPI_Type_create_darray");
  MPII_TRY(mpii_check_array(NULL, sizes, dimensions, "sizes"));
  MPII_TRY(mpii_check_array(NULL, distributions, dimensions, "distributions"));
  MPII_TRY(mpii_check_array(NULL, arguments, dimensions, "arguments"));
  MPII_TRY(mpii_check_array(NULL, processes, dimensions, "processes"));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &old));
  MPII_TRY(check_shape(dimensions, sizes, order));
  int64_t product = 1;
  for (int d = 0; d < dimensions; ++d) {
    MPII_TRY(check_distribution(d, sizes[d], distributions[d], arguments[d], processes[d]));
    product *= processes[d];
  }
  if (product != size || rank < 0 || rank >= size) {
    return mpii_fail(NULL, MPI_ERR_ARG, "rank %d of %d processes in a grid of %lld", rank, size, (long long)product);
  }
  mpii_builder_t builder;
  mpii_build(&builder, MPI_COMBINER_DARRAY, 4 + 4 * (uint32_t)dimensions, 0, 1);
  mpii_build_integer(&builder, size);
  mpii_build_integer(&builder, rank);
  mpii_build_integer(&builder, dimensions);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, sizes[d]);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, distributions[d]);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, arguments[d]);
  for (int d = 0; d < dimensions; ++d) mpii_build_integer(&builder, processes[d]);
  mpii_build_integer(&builder, order);
  mpii_build_datatype(&builder, old);

  int* places = mpii_allocate((size_t)dimensions * sizeof *places);
  for (int d = dimensions, rest = rank; d-- > 0; rest /= processes[d]) places[d] = rest % processes[d];  // row by row
  axis_t* axes = mpii_allocate((size_t)dimensions * sizeof *axes);
  MPI_Aint step = old->extent;
  for (int axis = 0; axis < dimensions; ++axis) {
    const int d = dimension_of(axis, dimensions, order);
    int block = arguments[d];
    if (distributions[d] == MPI_DISTRIBUTE_NONE) {
      block = sizes[d];
    } else if (block == MPI_DISTRIBUTE_DFLT_DARG) {
      block = distributions[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (sizes[d] + processes[d] - 1) / processes[d];
    }
    axes[axis] = share(sizes[d], block, processes[d], places[d], step);
    step *= sizes[d];
  }
  *made = complete(&builder, old, axes, dimensions, step);
  free(places);
  free(axes);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_create_darray);
