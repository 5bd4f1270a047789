// SPDX-License-Identifier: Apache-2.0
/// The plan of a broadcast on a mesh or torus of one to three dimensions (message-layer paper, section 8.4 and Fig.
/// 11): the message is split into pieces, and no link carries more than one of them.
///
/// Each piece traverses the dimensions in its own order. With the root at the origin and the order d1, d2, d3 it goes
///   - from the root along the d1 line,
///   - from each node of that line except the root along its d2 line,
///   - from each node of both along its d3 line: now all nodes outside the plane d1 = 0 have it,
///   - from the nodes next to that plane over one link into it.
/// There are as many pieces as dimensions, each with the order rotated by one, and they use disjoint links: two pieces
/// could meet only on a d1 line away from the origin, which only the next piece uses. If all dimensions are rings, each
/// order serves two pieces, one around the rings in the plus directions and one in the minus directions. Otherwise a
/// line extends in both directions from its start.
#ifndef TOROID_FIRMWARE_TORUS_BROADCAST_PLAN_H
#define TOROID_FIRMWARE_TORUS_BROADCAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TORUS_DIRECTIONS = 6, TORUS_PIECES_MAX = 6, TORUS_NO_DIRECTION = 0xFF };

/// The machine and the root's coordinates; everything except `here` is the same at every node.
typedef struct {
  uint8_t size[3];
  uint8_t ring;  ///< bit d: dimension d is a ring
  uint8_t root[3];
  uint8_t here[3];
} torus_broadcast_place_t;

/// A line that begins at this node: its piece and its length in links. 0: no line.
typedef struct {
  uint8_t hops;
  uint8_t piece;
} torus_broadcast_line_t;

/// The arrival of a piece: the direction in which it travels, and the number of links of its line after this node.
typedef struct {
  uint8_t direction;  ///< TORUS_NO_DIRECTION at the root
  uint8_t hops;
} torus_broadcast_way_t;

/// One node's part. Directions are 0..5 = X+..Z-.
typedef struct {
  uint8_t pieces;
  torus_broadcast_line_t lines[TORUS_DIRECTIONS];  ///< indexed by outgoing direction
  torus_broadcast_way_t ways[TORUS_PIECES_MAX];    ///< indexed by piece
} torus_broadcast_plan_t;

void torus_broadcast_plan(const torus_broadcast_place_t* place, torus_broadcast_plan_t* plan);

#ifdef __cplusplus
}
#endif

#endif
