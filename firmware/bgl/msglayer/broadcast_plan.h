// SPDX-License-Identifier: Apache-2.0
/// Who sends what where in a broadcast on a mesh or torus of one to three dimensions (message-layer paper, section 8.4
/// and Fig. 11): the message is cut into pieces, and no link carries more than one of them.
///
/// A piece takes the dimensions in an order of its own. With the root at the origin and the order d1, d2, d3 it goes
///   - from the root along the d1 line,
///   - from each node of that, the root excepted, along its d2 line,
///   - from each node of both along its d3 line: all nodes off the plane d1 = 0 have it,
///   - from those next to that plane over one link into it.
/// As many pieces as dimensions, each with the orders turned by one, do this over links of their own: two pieces would
/// meet only on a d1 line away from the origin, which the next piece alone uses. Where all dimensions are rings, each
/// order serves two pieces, one around the rings in the plus directions and one in the minus directions. Otherwise a
/// line goes both ways from where it begins.
#ifndef TOROID_FIRMWARE_MSGLAYER_BROADCAST_PLAN_H
#define TOROID_FIRMWARE_MSGLAYER_BROADCAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BGLML_DIRECTIONS = 6, BGLML_PIECES_MAX = 6, BGLML_NO_DIRECTION = 0xFF };

/// The machine and the root's place in it; all but `here` is the same at every node.
typedef struct {
  uint8_t size[3];
  uint8_t ring;  ///< bit d: dimension d is a ring
  uint8_t root[3];
  uint8_t here[3];
} bglml_broadcast_place_t;

/// A line that begins at this node: the piece it carries, and how many links it is long. 0: no line.
typedef struct {
  uint8_t hops;
  uint8_t piece;
} bglml_broadcast_line_t;

/// How a piece comes: the direction in which it travels, and the links of its line behind this node.
typedef struct {
  uint8_t direction;  ///< BGLML_NO_DIRECTION at the root
  uint8_t hops;
} bglml_broadcast_way_t;

/// One node's part. Directions are 0..5 = X+..Z-.
typedef struct {
  uint8_t pieces;
  bglml_broadcast_line_t lines[BGLML_DIRECTIONS];  ///< by the direction in which they leave
  bglml_broadcast_way_t ways[BGLML_PIECES_MAX];    ///< by piece
} bglml_broadcast_plan_t;

void bglml_broadcast_plan(const bglml_broadcast_place_t* place, bglml_broadcast_plan_t* plan);

#ifdef __cplusplus
}
#endif

#endif
