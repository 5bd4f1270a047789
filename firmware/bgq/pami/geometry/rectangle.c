/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/geometry/rectangle.h"

#include <string.h>

#include "firmware/hot.h"

RARE static void extend(pami_rectangle_t* rectangle, pami_task_t task) {
  size_t at[PAMI_DIMENSIONS + 1];
  pami_job_coordinates(task, at);
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) {
    if (at[d] < rectangle->low[d]) rectangle->low[d] = (uint8_t)at[d];
    if (at[d] > rectangle->high[d]) rectangle->high[d] = (uint8_t)at[d];
  }
}

RARE uint32_t pami_rectangle_nodes(const pami_rectangle_t* rectangle) {
  uint32_t nodes = 1;
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) nodes *= rectangle->high[d] - rectangle->low[d] + 1u;
  return nodes;
}

RARE bool pami_rectangle_of(const pami_geometry_impl_t* geometry, pami_rectangle_t* rectangle) {
  if (geometry->endpoints != NULL || geometry->contexts > 1 || geometry->size % pami_job.processes != 0) return false;
  memset(rectangle->low, 0xFF, sizeof rectangle->low);
  memset(rectangle->high, 0, sizeof rectangle->high);
  if (geometry->tasks != NULL) {
    for (uint32_t place = 0; place < geometry->size; ++place) extend(rectangle, geometry->tasks[place]);
  } else {
    for (uint32_t i = 0; i < geometry->range_count; ++i) {
      for (pami_task_t task = geometry->ranges[i].lo; task <= geometry->ranges[i].hi; ++task) extend(rectangle, task);
    }
  }
  /* Members are different tasks of nodes in it: if they are as many as there can be, all are members. */
  return pami_rectangle_nodes(rectangle) * pami_job.processes == geometry->size;
}
