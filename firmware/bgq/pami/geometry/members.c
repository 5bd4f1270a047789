/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and endpoints of a geometry's members. */
#include "firmware/bgq/pami/geometry/geometry.h"

static pami_task_t task_at(const pami_geometry_impl_t* geometry, uint32_t place) {
  if (geometry->tasks) return geometry->tasks[place];
  const pami_geometry_range_t* range = geometry->ranges;
  while (place > range->hi - range->lo) {
    place -= range->hi - range->lo + 1;
    ++range;
  }
  return range->lo + place;
}

static uint32_t place_of(const pami_geometry_impl_t* geometry, pami_task_t task, uint32_t places) {
  if (geometry->tasks) {
    for (uint32_t place = 0; place < places; ++place) {
      if (geometry->tasks[place] == task) return place;
    }
    return PAMI_NO_RANK;
  }
  uint32_t before = 0;
  for (uint32_t i = 0; i < geometry->range_count; ++i) {
    const pami_geometry_range_t* range = &geometry->ranges[i];
    if (task >= range->lo && task <= range->hi) return before + task - range->lo;
    before += range->hi - range->lo + 1;
  }
  return PAMI_NO_RANK;
}

pami_endpoint_t pami_member(const pami_geometry_impl_t* geometry, uint32_t rank, unsigned offset) {
  if (geometry->endpoints) return geometry->endpoints[rank];
  if (geometry->contexts == 0) return pami_endpoint_of(task_at(geometry, rank), offset);
  return pami_endpoint_of(task_at(geometry, rank / geometry->contexts), rank % geometry->contexts);
}

uint32_t pami_rank(const pami_geometry_impl_t* geometry, pami_endpoint_t endpoint) {
  if (geometry->endpoints) {
    for (uint32_t rank = 0; rank < geometry->size; ++rank) {
      if (geometry->endpoints[rank] == endpoint) return rank;
    }
    return PAMI_NO_RANK;
  }
  const uint32_t each = geometry->contexts ? geometry->contexts : 1;
  const uint32_t place = place_of(geometry, pami_task_of(endpoint), geometry->size / each);
  if (place == PAMI_NO_RANK) return PAMI_NO_RANK;
  if (geometry->contexts == 0) return place;
  const unsigned offset = pami_offset_of(endpoint);
  return offset < each ? place * each + offset : PAMI_NO_RANK;
}

pami_endpoint_t* pami_member_tasks(const pami_geometry_impl_t* geometry, unsigned offset, uint32_t* count) {
  pami_endpoint_t* list = malloc((geometry->size ? geometry->size : 1) * sizeof *list);
  uint8_t* seen = geometry->endpoints ? calloc(pami_job.tasks, 1) : NULL;
  if (list == NULL || (geometry->endpoints && seen == NULL)) {
    free(list);
    free(seen);
    return NULL;
  }
  uint32_t n = 0;
  const uint32_t each = geometry->contexts ? geometry->contexts : 1;
  for (uint32_t rank = 0; rank < geometry->size; rank += each) {
    const pami_endpoint_t member = pami_member(geometry, rank, offset);
    if (seen) {
      if (seen[pami_task_of(member)]) continue;
      seen[pami_task_of(member)] = 1;
    }
    list[n++] = member;
  }
  free(seen);
  *count = n;
  return list;
}
