// SPDX-License-Identifier: Apache-2.0
// Parts of the job with class routes of their own: all processes of the nodes of a rectangle are a geometry, for which
// PAMI takes classes if some are free.
#include <spi/include/kernel/process.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/transport/bgq/bgq.h"

enum { AXES = 6, T = 5 };  // as mpit_place() has them

bool mpit_part_fits(const uint32_t* ranks, int size) {
  int low[AXES], high[AXES], at[AXES];
  if (mpit_bgq_limits.part_routes == 0 || size < 2) return false;
  mpit_place(ranks[0], low);
  memcpy(high, low, sizeof high);
  for (int i = 1; i < size; ++i) {
    mpit_place(ranks[i], at);
    for (int axis = 0; axis < T; ++axis) {
      if (at[axis] < low[axis]) low[axis] = at[axis];
      if (at[axis] > high[axis]) high[axis] = at[axis];
    }
  }
  uint64_t processes = Kernel_ProcessCount();
  for (int axis = 0; axis < T; ++axis) processes *= (uint64_t)(high[axis] - low[axis] + 1);
  return processes == (uint64_t)size;
}

static void done(pami_context_t context, void* flag, pami_result_t result) {
  (void)context, (void)result;
  *(volatile uint32_t*)flag = 1;
}

/// Parts that end are freed by the program's own calls: what ends them may be an interrupt of malloc().
static mpit_part_t* ending;

static void sweep(void) {
  for (mpit_part_t** at = &ending; *at != NULL;) {
    mpit_part_t* part = *at;
    if (part->ended == 0) {
      at = &part->next;
      continue;
    }
    *at = part->next;
    free(part->tasks);
    free(part);
  }
}

mpit_part_t* mpit_part_make(const uint32_t* ranks, int size, uint32_t number) {
  sweep();
  mpit_part_t* part = mpii_allocate(sizeof *part);
  part->tasks = mpii_allocate((size_t)size * sizeof *part->tasks);
  for (int i = 0; i < size; ++i) part->tasks[i] = ranks[i];
  pami_configuration_t wish = {.name = PAMI_GEOMETRY_OPTIMIZE, .value.intval = 1};
  volatile uint32_t made = 0;
  mpit_bgq_check(
      PAMI_Geometry_create_tasklist(mpit_bgq_client, 0, &wish, 1, &part->geometry, PAMI_GEOMETRY_NULL, number,
                                    part->tasks, (size_t)size, mpit_bgq_context, done, (void*)(uintptr_t)&made),
      "PAMI_Geometry_create_tasklist");
  mpit_wait(&made);
  part->ways = mpit_bgq_ways(part->geometry);
  if (part->ways.barrier.algorithm != 0 || part->ways.allreduce.algorithm != 0) return part;
  mpit_part_end(part);
  return NULL;
}

void mpit_part_end(mpit_part_t* part) {
  part->next = ending;
  ending = part;
  mpit_bgq_check(
      PAMI_Geometry_destroy(mpit_bgq_client, &part->geometry, mpit_bgq_context, done, (void*)(uintptr_t)&part->ended),
      "PAMI_Geometry_destroy");
}
