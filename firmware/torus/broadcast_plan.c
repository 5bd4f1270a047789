// SPDX-License-Identifier: Apache-2.0
#include "firmware/torus/broadcast_plan.h"

#include <string.h>

enum { DIMENSIONS = 3, PLUS = 0, MINUS = 1, BOTH = 2 };

/// A piece: its dimensions in the order it takes them, and the sense of its lines.
typedef struct {
  const torus_broadcast_place_t* place;
  uint8_t order[DIMENSIONS];
  uint8_t dimensions;
  uint8_t sense;  // PLUS, MINUS or BOTH
} piece_t;

/// Links from the origin to this node in the plus direction of a ring or, on a mesh, in the one there is.
static unsigned ahead(const torus_broadcast_place_t* place, unsigned dimension) {
  const unsigned size = place->size[dimension];
  return (place->here[dimension] + size - place->root[dimension]) % size;
}

/// Links of a line that begins in the plane of the origin, in one direction.
static unsigned reach(const piece_t* piece, unsigned dimension, unsigned minus) {
  const torus_broadcast_place_t* place = piece->place;
  const unsigned size = place->size[dimension], root = place->root[dimension];
  if (piece->sense != BOTH) return piece->sense == minus ? size - 1 : 0;
  if ((place->ring >> dimension & 1u) != 0) return minus ? (size - 1) / 2 : size / 2;
  return minus ? root : size - 1 - root;
}

/// How a line of this dimension passes a node off the origin's plane.
static torus_broadcast_way_t way_on_line(const piece_t* piece, unsigned dimension) {
  const torus_broadcast_place_t* place = piece->place;
  const unsigned size = place->size[dimension];
  const bool ring = (place->ring >> dimension & 1u) != 0;
  unsigned travelled = ahead(place, dimension);
  unsigned minus = piece->sense == MINUS;
  if (piece->sense == BOTH) {
    minus = ring ? travelled > reach(piece, dimension, PLUS) : place->here[dimension] < place->root[dimension];
  }
  if (minus) travelled = size - travelled;
  if (!ring && minus) travelled = (unsigned)place->root[dimension] - place->here[dimension];
  return (torus_broadcast_way_t){(uint8_t)(2 * dimension + minus),
                                 (uint8_t)(reach(piece, dimension, minus) - travelled)};
}

/// The direction of the links that lead back into the origin's plane: over the one link of a ring that no line uses, or
/// against a line's first.
static unsigned inward(const piece_t* piece) {
  const unsigned dimension = piece->order[0];
  if (piece->sense != BOTH) return 2 * dimension + piece->sense;
  return 2 * dimension + (reach(piece, dimension, PLUS) != 0 ? MINUS : PLUS);
}

/// Whether this node has a link of that direction into the origin's plane.
static bool next_to_plane(const piece_t* piece) {
  const torus_broadcast_place_t* place = piece->place;
  const unsigned direction = inward(piece);
  const unsigned dimension = direction / 2;
  return ahead(place, dimension) == (direction % 2 == MINUS ? 1u : place->size[dimension] - 1u);
}

static void start_line(const piece_t* piece, unsigned number, unsigned dimension, torus_broadcast_plan_t* plan) {
  for (unsigned minus = 0; minus < 2; ++minus) {
    const unsigned hops = reach(piece, dimension, minus);
    if (hops != 0) plan->lines[2 * dimension + minus] = (torus_broadcast_line_t){(uint8_t)hops, (uint8_t)number};
  }
}

static void plan_piece(const piece_t* piece, unsigned number, torus_broadcast_plan_t* plan) {
  // The last dimension of the order in which this node is off the origin; `dimensions` at the root.
  unsigned last = piece->dimensions;
  for (unsigned i = 0; i < piece->dimensions; ++i) {
    if (ahead(piece->place, piece->order[i]) != 0) last = i;
  }
  torus_broadcast_way_t* way = &plan->ways[number];
  if (last == piece->dimensions) {
    *way = (torus_broadcast_way_t){TORUS_NO_DIRECTION, 0};
    start_line(piece, number, piece->order[0], plan);
    return;
  }
  if (ahead(piece->place, piece->order[0]) == 0) {
    *way = (torus_broadcast_way_t){(uint8_t)inward(piece), 0};
    return;
  }
  *way = way_on_line(piece, piece->order[last]);
  for (unsigned i = last + 1; i < piece->dimensions; ++i) start_line(piece, number, piece->order[i], plan);
  // Of the plane itself the root alone has the piece before.
  bool other = false;
  for (unsigned i = 1; i < piece->dimensions; ++i) other = other || ahead(piece->place, piece->order[i]) != 0;
  if (other && next_to_plane(piece)) {
    plan->lines[inward(piece)] = (torus_broadcast_line_t){1, (uint8_t)number};
  }
}

void torus_broadcast_plan(const torus_broadcast_place_t* place, torus_broadcast_plan_t* plan) {
  memset(plan, 0, sizeof *plan);
  uint8_t active[DIMENSIONS];
  unsigned dimensions = 0;
  bool rings = true;
  for (unsigned dimension = 0; dimension < DIMENSIONS; ++dimension) {
    if (place->size[dimension] == 1) continue;
    active[dimensions++] = (uint8_t)dimension;
    rings = rings && (place->ring >> dimension & 1u) != 0;
  }
  for (unsigned first = 0; first < dimensions; ++first) {
    for (unsigned sense = rings ? PLUS : BOTH; sense <= (rings ? MINUS : BOTH); ++sense) {
      piece_t piece = {.place = place, .dimensions = (uint8_t)dimensions, .sense = (uint8_t)sense};
      for (unsigned i = 0; i < dimensions; ++i) piece.order[i] = active[(first + i) % dimensions];
      plan_piece(&piece, plan->pieces++, plan);
    }
  }
}
