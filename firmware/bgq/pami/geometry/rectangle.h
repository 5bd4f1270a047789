/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangles of nodes: sets of tasks that class routes can span. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_RECTANGLE_H
#define TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_RECTANGLE_H

#include "firmware/bgq/pami/geometry/geometry.h"

/* Corners, both in it. */
typedef struct pami_rectangle {
  uint8_t low[PAMI_DIMENSIONS];
  uint8_t high[PAMI_DIMENSIONS];
} pami_rectangle_t;

/* Whether the geometry has one member for each process of a rectangle's nodes, all of which are in the job, and no
 * other. All tasks get the same answer. Rectangles do not go round a ring. */
bool pami_rectangle_of(const pami_geometry_impl_t* geometry, pami_rectangle_t* rectangle);

/* Nodes. */
uint32_t pami_rectangle_nodes(const pami_rectangle_t* rectangle);

#endif
