// SPDX-License-Identifier: Apache-2.0
// Where the processes of a grid live best: neighbours in the grid are neighbours in the torus, or near.
//
// The communicator's processes fill a box of the network, whose axes are its dimensions and the processor in the node.
// Every axis is given to a dimension of the grid, or is split and given to two. A dimension that has several parts of
// axes goes through them as a snake: one step along one of them at a time. Ways to do this that fit are tried, those
// that split least first, and the one with the least hops between neighbours is taken, if it is better than the ranks'
// own order. Only the first few are tried: the best is among them, and networks of many axes have hundreds of ways.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/topology.h"
#include "firmware/mpi/transport.h"

enum { PARTS = 2 * MPIT_AXES_MAX };

/// An axis, or what it is split into: whole rows of neighbours, and the place among the rows.
typedef enum { WHOLE, ROW, ROWS } part_kind_t;

typedef struct {
  uint8_t axis;
  uint8_t kind;       ///< part_kind_t
  uint8_t dimension;  ///< of the grid
  uint16_t size;
} part_t;

/// A way to lay the grid out. Parts of the same dimension count in this order, the first one fastest.
typedef struct {
  int count;
  part_t parts[PARTS];
} layout_t;

typedef struct {
  int axes;
  int dimensions;
  const int* sizes;
  const int* periods;
  int places;
  int box[MPIT_AXES_MAX];
  uint32_t* ranks;  ///< in MPI_COMM_WORLD, by place in the box
  int* left;        ///< of each dimension, what the parts given to it so far do not fill
  layout_t layout, best;
  uint32_t best_cost;
  int tried;  ///< layouts that have been weighed
} fit_t;

static const uint32_t no_cost = 0xFFFFFFFF;

enum { TRIES = 12 };  // the best one was among the first 7 of each shape that was looked at, but for 64 ranks a node

// ---------------------------------------------------------------------------------------------------------------
// Places

static int box_place(const fit_t* fit, const int* axes) {
  int place = 0;
  for (int axis = fit->axes; axis-- > 0;) place = place * fit->box[axis] + axes[axis];
  return place;
}

/// Find the box that the processes fill. `members` gets each one's rank in the communicator by its place.
static bool find_box(fit_t* fit, const mpii_comm_t* comm, int* members) {
  int least[MPIT_AXES_MAX], axes[MPIT_AXES_MAX];
  for (int rank = 0; rank < comm->size; ++rank) {
    mpit_place(comm->group->ranks[rank], axes);
    for (int axis = 0; axis < fit->axes; ++axis) {
      if (rank == 0 || axes[axis] < least[axis]) least[axis] = axes[axis];
      if (rank == 0 || axes[axis] > fit->box[axis]) fit->box[axis] = axes[axis];  // the greatest
    }
  }
  int places = 1;
  for (int axis = 0; axis < fit->axes; ++axis) places *= fit->box[axis] += 1 - least[axis];
  if (places != comm->size) return false;
  for (int rank = 0; rank < comm->size; ++rank) {
    mpit_place(comm->group->ranks[rank], axes);
    for (int axis = 0; axis < fit->axes; ++axis) axes[axis] -= least[axis];
    const int place = box_place(fit, axes);
    members[place] = rank;
    fit->ranks[place] = comm->group->ranks[rank];
  }
  return true;
}

/// Find out how far along each part of a dimension its coordinate `at` is: a snake, which turns at the ends of each
/// part's row.
static void go_along(const layout_t* layout, int dimension, int size, int at, int* digits) {
  for (int i = layout->count; i-- > 0;) {
    const part_t* part = &layout->parts[i];
    if (part->dimension != dimension) continue;
    size /= part->size;
    digits[i] = at / size;
    at %= size;
    if (digits[i] % 2 != 0) at = size - 1 - at;
  }
}

/// The place in the box that is so far along each part.
static int place_along(const fit_t* fit, const layout_t* layout, const int* digits) {
  int axes[MPIT_AXES_MAX] = {0}, rows[MPIT_AXES_MAX] = {0};
  for (int i = 0; i < layout->count; ++i) {
    const part_t* part = &layout->parts[i];
    if (part->kind == ROWS) {
      rows[part->axis] = digits[i];
    } else {
      axes[part->axis] = digits[i];
    }
  }
  for (int i = 0; i < layout->count; ++i) {
    const part_t* part = &layout->parts[i];
    if (part->kind != ROW) continue;
    int* at = &axes[part->axis];
    const int row = rows[part->axis];
    *at = row * part->size + (row % 2 != 0 ? part->size - 1 - *at : *at);  // a snake as well
  }
  return box_place(fit, axes);
}

// ---------------------------------------------------------------------------------------------------------------
// Costs

/// Into how many rows the neighbours along a dimension may see an axis split: its hops differ from row to row.
static int variants(const layout_t* layout, int dimension) {
  int most = 1;
  for (int i = 0; i < layout->count; ++i) {
    const part_t* part = &layout->parts[i];
    if (part->kind != WHOLE && part->dimension != dimension && part->size > most) most = part->size;
  }
  return most;
}

/// The hops between neighbours along a dimension, in the whole grid, times 16.
static uint32_t cost_along(const fit_t* fit, int dimension) {
  const layout_t* layout = &fit->layout;
  const int size = fit->sizes[dimension], ways = variants(layout, dimension);
  uint32_t hops = 0;
  for (int way = 0; way < ways; ++way) {
    int digits[PARTS];
    for (int i = 0; i < layout->count; ++i) digits[i] = way % layout->parts[i].size;
    go_along(layout, dimension, size, 0, digits);
    const uint32_t first = fit->ranks[place_along(fit, layout, digits)];
    uint32_t here = first;
    for (int at = 1; at < size; ++at) {
      go_along(layout, dimension, size, at, digits);
      const uint32_t next = fit->ranks[place_along(fit, layout, digits)];
      hops += mpit_hops(here, next);
      here = next;
    }
    if (fit->periods[dimension]) hops += mpit_hops(here, first);
  }
  return hops * 16 / (uint32_t)ways * (uint32_t)(fit->places / size);
}

/// The hops between all neighbours where grid place r is taken by rank order[r] of the communicator.
static uint32_t cost_of_order(const fit_t* fit, const mpii_comm_t* comm, const int* order) {
  uint32_t hops = 0;
  int stride = 1;
  for (int dimension = fit->dimensions; dimension-- > 0;) {
    const int size = fit->sizes[dimension];
    for (int place = 0; place < fit->places; ++place) {
      const int at = place / stride % size;
      int next = place + stride;
      if (at == size - 1) {
        if (!fit->periods[dimension]) continue;
        next = place - at * stride;
      }
      hops += mpit_hops(comm->group->ranks[order != NULL ? order[place] : place],
                        comm->group->ranks[order != NULL ? order[next] : next]);
    }
    stride *= size;
  }
  return hops;
}

// ---------------------------------------------------------------------------------------------------------------
// Search

/// Try all orders of the parts of a dimension from the `fixed`th on; `at` says where they stand in the layout.
static void try_orders(fit_t* fit, int dimension, const int* at, int count, int fixed, uint32_t* cost,
                       layout_t* cheapest) {
  part_t* parts = fit->layout.parts;
  enum { FEW = 4 };
  if (fixed + 1 >= count || count > FEW) {
    const uint32_t found = cost_along(fit, dimension);
    if (found < *cost) {
      *cost = found;
      *cheapest = fit->layout;
    }
    return;
  }
  for (int i = fixed; i < count; ++i) {
    const part_t first = parts[at[fixed]], other = parts[at[i]];
    parts[at[fixed]] = other;
    parts[at[i]] = first;
    try_orders(fit, dimension, at, count, fixed + 1, cost, cheapest);
    parts[at[fixed]] = first;
    parts[at[i]] = other;
  }
}

/// All parts have their dimensions: find the best order within each.
static void weigh(fit_t* fit) {
  const layout_t given = fit->layout;
  uint32_t sum = 0;
  fit->tried += 1;
  for (int dimension = 0; dimension < fit->dimensions && sum < fit->best_cost; ++dimension) {
    int at[PARTS], count = 0;
    for (int i = 0; i < fit->layout.count; ++i) {
      if (fit->layout.parts[i].dimension == dimension) at[count++] = i;
    }
    if (count == 0) continue;
    uint32_t cost = no_cost;
    layout_t cheapest = fit->layout;
    try_orders(fit, dimension, at, count, 0, &cost, &cheapest);
    fit->layout = cheapest;
    sum += cost;
  }
  if (sum < fit->best_cost) {
    fit->best_cost = sum;
    fit->best = fit->layout;
  }
  fit->layout = given;
}

static void search(fit_t* fit, int axis, int splits);

/// Give a part of an axis to each dimension in turn that has room for it, and go on: with the other part of the axis
/// (`rows` of it), or with the next axis. The last dimension comes first: its neighbours are the next ranks.
static void give(fit_t* fit, int axis, int splits, part_t part, int rows) {
  for (int dimension = fit->dimensions; dimension-- > 0;) {
    if (fit->left[dimension] % part.size != 0) continue;
    const int count = fit->layout.count;
    // The two parts of an axis in one dimension are the whole axis, which was tried before.
    if (part.kind == ROWS && fit->layout.parts[count - 1].dimension == dimension) continue;
    part.dimension = (uint8_t)dimension;
    fit->layout.parts[fit->layout.count++] = part;
    fit->left[dimension] /= part.size;
    if (rows > 1) {
      give(fit, axis, splits, (part_t){.axis = (uint8_t)axis, .kind = ROWS, .size = (uint16_t)rows}, 1);
    } else {
      search(fit, axis + 1, splits);
    }
    fit->left[dimension] *= part.size;
    fit->layout.count = count;
  }
}

/// Lay out the axes from `axis` on, and split exactly `splits` of them.
static void search(fit_t* fit, int axis, int splits) {
  if (fit->tried == TRIES) return;
  while (axis < fit->axes && fit->box[axis] == 1) ++axis;
  if (axis == fit->axes) {
    if (splits == 0) weigh(fit);
    return;
  }
  const int size = fit->box[axis];
  give(fit, axis, splits, (part_t){.axis = (uint8_t)axis, .kind = WHOLE, .size = (uint16_t)size}, 1);
  if (splits == 0) return;
  for (int row = 2; row <= size / 2; ++row) {
    if (size % row != 0) continue;
    give(fit, axis, splits - 1, (part_t){.axis = (uint8_t)axis, .kind = ROW, .size = (uint16_t)row}, size / row);
  }
}

static void write_order(const fit_t* fit, const int* members, int* order) {
  int* coordinates = mpii_allocate((size_t)fit->dimensions * sizeof *coordinates);
  for (int place = 0; place < fit->places; ++place) {
    int digits[PARTS];
    for (int i = 0; i < fit->dimensions; ++i) go_along(&fit->best, i, fit->sizes[i], coordinates[i], digits);
    order[place] = members[place_along(fit, &fit->best, digits)];
    for (int i = fit->dimensions; i-- > 0;) {
      if (++coordinates[i] < fit->sizes[i]) break;
      coordinates[i] = 0;
    }
  }
  free(coordinates);
}

bool mpii_cart_fit(const mpii_comm_t* comm, int dimensions, const int* sizes, const int* periods, int* order) {
  enum { SPLITS = 2, DIMENSIONS = 255 };
  fit_t fit = {
      .axes = (int)mpit_axes(), .dimensions = dimensions, .sizes = sizes, .periods = periods, .places = comm->size};
  int places = 1;
  for (int i = 0; i < dimensions; ++i) places *= sizes[i];
  if (places != comm->size || dimensions > DIMENSIONS) return false;
  int* members = mpii_allocate((size_t)places * sizeof *members);
  fit.ranks = mpii_allocate((size_t)places * sizeof *fit.ranks);
  fit.left = mpii_allocate((size_t)dimensions * sizeof *fit.left);
  memcpy(fit.left, sizes, (size_t)dimensions * sizeof *fit.left);
  fit.best_cost = no_cost;
  if (find_box(&fit, comm, members)) {
    for (int splits = 0; splits <= SPLITS && fit.best_cost == no_cost; ++splits) search(&fit, 0, splits);
  }
  bool better = false;
  if (fit.best_cost != no_cost) {
    write_order(&fit, members, order);
    better = cost_of_order(&fit, comm, order) < cost_of_order(&fit, comm, NULL);
  }
  free(members);
  free(fit.ranks);
  free(fit.left);
  return better;
}
