// SPDX-License-Identifier: Apache-2.0
// Mapping: ranks to places in the torus, distances and routes between them.
#include "firmware/bgl/msglayer/state.h"

enum { DIMENSIONS = 3 };

/// The way along one dimension.
typedef struct {
  unsigned links;
  bool minus;
} way_t;

/// Half-way around a ring both directions are equally short: nodes at even coordinates use plus and the others minus,
/// which loads both directions equally.
static way_t way_along(unsigned from, unsigned to, unsigned size, bool ring) {
  const unsigned up = to >= from ? to - from : to + size - from;
  if (!ring) return to >= from ? (way_t){to - from, false} : (way_t){from - to, true};
  const unsigned down = size - up;
  if (up == 0) return (way_t){0, false};
  if (up == down) return (way_t){up, (from & 1u) != 0};
  return up < down ? (way_t){up, false} : (way_t){down, true};
}

static way_t way(const bglml_mapping_t* mapping, bglml_coordinates_t from, bglml_coordinates_t to, unsigned dimension) {
  const bool ring = (mapping->torus >> dimension & 1u) != 0;
  switch (dimension) {
    case 0:
      return way_along(from.x, to.x, mapping->shape.x, ring);
    case 1:
      return way_along(from.y, to.y, mapping->shape.y, ring);
    default:
      return way_along(from.z, to.z, mapping->shape.z, ring);
  }
}

bglml_route_t bglml_route(const bglml_mapping_t* mapping, bglml_coordinates_t to) {
  bglml_route_t route = {0, 0};
  for (unsigned dimension = DIMENSIONS; dimension-- > 0;) {  // the last one found is the first travelled: X, Y, Z
    const way_t along = way(mapping, mapping->self, to, dimension);
    if (along.links == 0) continue;
    route.direction = (uint8_t)(2 * dimension + along.minus);
    route.hints |= (uint8_t)TORUS_HINT(route.direction);
  }
  return route;
}

static void check_rank(uint32_t rank) {
  if (rank >= bglml_instance->size) {
    bglml_fatal("place of rank %u asked for; the job has ranks 0..%u", rank, bglml_instance->size - 1);
  }
}

unsigned bglml_hops(uint32_t from, uint32_t to) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  check_rank(from);
  check_rank(to);
  unsigned hops = 0;
  for (unsigned dimension = 0; dimension < DIMENSIONS; ++dimension) {
    hops += way(mapping, bglml_place(mapping, from), bglml_place(mapping, to), dimension).links;
  }
  return hops;
}

uint32_t bglml_rank(void) {
  return bglml_instance->rank;
}

uint32_t bglml_size(void) {
  return bglml_instance->size;
}

bglml_coordinates_t bglml_coordinates(uint32_t rank) {
  check_rank(rank);
  return bglml_place(&bglml_instance->mapping, rank);
}

bglml_coordinates_t bglml_shape(void) {
  return bglml_instance->mapping.shape;
}

uint32_t bglml_rank_at(bglml_coordinates_t place) {
  const uint32_t word = (uint32_t)place.t << 24 | (uint32_t)place.z << 16 | (uint32_t)place.y << 8 | place.x;
  const bglml_coordinates_t shape = bglml_instance->mapping.shape;
  // Where it would be in the default order, first.
  const uint32_t likely = place.x + shape.x * (place.y + shape.y * (place.z + (uint32_t)shape.z * place.t));
  if (likely < bglml_instance->size && bglml_instance->mapping.table[likely] == word) return likely;
  for (uint32_t rank = 0; rank < bglml_instance->size; ++rank) {
    if (bglml_instance->mapping.table[rank] == word) return rank;
  }
  return BGLML_NO_RANK;
}
