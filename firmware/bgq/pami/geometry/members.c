/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and endpoints of a geometry's members, and what is wrong with a list of them. */
#include "firmware/bgq/pami/geometry/geometry.h"
#include "firmware/hot.h"

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

/* Of what a list has: a bit for each task, or for each endpoint that a task can have. */
typedef struct seen {
  uint32_t geometry;
  pami_task_t me;
  unsigned contexts; /* that this task has */
  uint8_t* bits;
} seen_t;

RARE static pami_result_t note_task(seen_t* seen, pami_task_t task) {
  if (task >= pami_job.tasks) {
    return pami_error(PAMI_INVAL, "geometry %u: there is no task %u", seen->geometry, task);
  }
  if (seen->bits[task / 8] >> task % 8 & 1) {
    return pami_error(PAMI_INVAL, "geometry %u: task %u is named twice", seen->geometry, task);
  }
  seen->bits[task / 8] |= (uint8_t)(1u << task % 8);
  return PAMI_SUCCESS;
}

RARE static pami_result_t note_range(seen_t* seen, pami_geometry_range_t range) {
  if (range.hi < range.lo || range.hi >= pami_job.tasks) {
    return pami_error(PAMI_INVAL, "geometry %u: range %u to %u is none of tasks below %u", seen->geometry, range.lo,
                      range.hi, pami_job.tasks);
  }
  pami_result_t result = PAMI_SUCCESS;
  for (pami_task_t task = range.lo; task <= range.hi && result == PAMI_SUCCESS; ++task) result = note_task(seen, task);
  return result;
}

RARE static pami_result_t note_endpoint(seen_t* seen, pami_endpoint_t endpoint) {
  const pami_task_t task = pami_task_of(endpoint);
  const unsigned offset = pami_offset_of(endpoint);
  if (task >= pami_job.tasks) {
    return pami_error(PAMI_INVAL, "geometry %u: there is no task %u", seen->geometry, task);
  }
  if (task == seen->me && offset >= seen->contexts) {
    return pami_error(PAMI_INVAL, "geometry %u: task %u has no context %u", seen->geometry, task, offset);
  }
  const size_t bit = (size_t)task * PAMI_CONTEXTS_MAX + offset;
  if (seen->bits[bit / 8] >> bit % 8 & 1) {
    return pami_error(PAMI_INVAL, "geometry %u: context %u of task %u is named twice", seen->geometry, offset, task);
  }
  seen->bits[bit / 8] |= (uint8_t)(1u << bit % 8);
  return PAMI_SUCCESS;
}

RARE pami_result_t pami_members_check(const pami_geometry_impl_t* geometry, pami_task_t me) {
  if (geometry->size == 0) return pami_error(PAMI_INVAL, "geometry %u has no members", geometry->id);
  const size_t most = (size_t)pami_job.tasks * (geometry->endpoints ? PAMI_CONTEXTS_MAX : 1);
  seen_t seen = {geometry->id, me, geometry->client->contexts, calloc(most / 8 + 1, 1)};
  if (seen.bits == NULL) return PAMI_ENOMEM;
  const uint32_t each = geometry->contexts ? geometry->contexts : 1;
  const uint32_t places = geometry->ranges ? geometry->range_count : geometry->size / each;
  pami_result_t result = PAMI_SUCCESS;
  for (uint32_t i = 0; i < places && result == PAMI_SUCCESS; ++i) {
    if (geometry->ranges) {
      result = note_range(&seen, geometry->ranges[i]);
    } else if (geometry->tasks) {
      result = note_task(&seen, geometry->tasks[i]);
    } else {
      result = note_endpoint(&seen, geometry->endpoints[i]);
    }
  }
  free(seen.bits);
  return result;
}
