// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/regions.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/armci/process.h"
#include "firmware/hot.h"

struct armcii_region {
  armcii_region_t* next;
  armcii_extent_t* extents;  ///< of each process
  uint8_t* written;          ///< of each process: armcii_write_t, as bits
};

/// The last one is the first.
static armcii_region_t* regions;
/// Of each process: what has been written anywhere.
static uint8_t* anywhere;
/// One status for all memory of a target.
static bool by_target;

/// ARMCI_CONFLICTS.
static bool wanted_by_target(void) {
  const char* const text = getenv("ARMCI_CONFLICTS");
  if (text == NULL || strcmp(text, "region") == 0) return false;
  if (strcmp(text, "target") == 0) return true;
  armcii_fail("ARMCI_CONFLICTS is '%s'; it may be region or target", text);
}

void armcii_regions_start(void) {
  by_target = wanted_by_target();
  free(anywhere);
  anywhere = calloc(armcii_size, sizeof *anywhere);
  if (anywhere == NULL) armcii_fail("there is no memory for what is known of %u processes", armcii_size);
}

/// Removes the region that a link leads to.
static void drop(armcii_region_t** link) {
  armcii_region_t* const region = *link;
  *link = region->next;
  // The same place may be allocated anew while writes are on their way.
  for (uint32_t target = 0; target < armcii_size; ++target) anywhere[target] |= region->written[target];
  free(region->extents);
  free(region->written);
  free(region);
}

static bool overlap(const armcii_extent_t* some, const armcii_extent_t* others) {
  for (uint32_t i = 0; i < armcii_size; ++i) {
    const bool before = some[i].begin + some[i].bytes <= others[i].begin;
    const bool behind = others[i].begin + others[i].bytes <= some[i].begin;
    if (!before && !behind) return true;
  }
  return false;
}

void armcii_region_add(const armcii_extent_t* extent_of_rank) {
  if (by_target) return;
  // A process that has no memory in a region does not free it.
  for (armcii_region_t** link = &regions; *link != NULL;) {
    if (overlap((*link)->extents, extent_of_rank)) {
      drop(link);
    } else {
      link = &(*link)->next;
    }
  }
  armcii_region_t* const region = malloc(sizeof *region);
  armcii_extent_t* const extents = malloc(armcii_size * sizeof *extents);
  uint8_t* const written = calloc(armcii_size, sizeof *written);
  if (region == NULL || extents == NULL || written == NULL) {
    armcii_fail("there is no memory for a region of %u processes", armcii_size);
  }
  memcpy(extents, extent_of_rank, armcii_size * sizeof *extents);
  *region = (armcii_region_t){.next = regions, .extents = extents, .written = written};
  regions = region;
}

void armcii_region_remove(const void* own_begin) {
  armcii_region_t** link = &regions;
  while (*link != NULL && (*link)->extents[armcii_self].begin != (uintptr_t)own_begin) link = &(*link)->next;
  if (own_begin != NULL && *link != NULL) drop(link);
}

HOT_OF_RMA static armcii_region_t* find(uint32_t target, uint64_t begin, uint64_t bytes) {
  for (armcii_region_t* region = regions; region != NULL; region = region->next) {
    const armcii_extent_t* const extent = &region->extents[target];
    const uint64_t offset = begin - extent->begin;
    if (offset < extent->bytes && bytes <= extent->bytes - offset) return region;
  }
  return ARMCII_ANYWHERE;
}

HOT_OF_RMA armcii_region_t* armcii_region_of(uint32_t target, const armcii_patch_t* patch) {
  if (regions == NULL) return ARMCII_ANYWHERE;
  int64_t below = 0, above = (int64_t)patch->bytes;
  for (unsigned i = 0; i < patch->levels; ++i) {
    const int64_t last = (int64_t)(patch->level[i].count - 1) * patch->level[i].remote_stride;
    if (last < 0) below += last;
    if (last > 0) above += last;
  }
  return find(target, patch->remote + (uint64_t)below, (uint64_t)(above - below));
}

armcii_region_t* armcii_region_of_list(uint32_t target, void* const* segments, uint32_t count, size_t bytes) {
  armcii_region_t* region = ARMCII_ANYWHERE;
  for (uint32_t i = 0; i < count; ++i) {
    armcii_region_t* const of = find(target, (uintptr_t)segments[i], bytes);
    if (of == ARMCII_ANYWHERE || (i != 0 && of != region)) return ARMCII_ANYWHERE;
    region = of;
  }
  return region;
}

// ---------------------------------------------------------------------------------------------------------------
// Status

static uint32_t on_their_way(uint32_t target, armcii_write_t how) {
  const armcii_target_t* const to = &armcii_targets[target];
  return how == ARMCII_BY_PUT ? to->puts - to->puts_confirmed : to->requests - to->requests_confirmed;
}

static void forget(uint32_t target, armcii_write_t how) {
  const uint8_t others = (uint8_t)~how;
  anywhere[target] &= others;
  for (armcii_region_t* region = regions; region != NULL; region = region->next) region->written[target] &= others;
}

HOT_OF_ACCUMULATES void armcii_region_confirmed(uint32_t target, armcii_write_t how) {
  if (on_their_way(target, how) == 0) forget(target, how);
}

HOT_OF_PUTS void armcii_region_written(uint32_t target, armcii_region_t* region, armcii_write_t how) {
  if (on_their_way(target, how) == 0) return;  // confirmed already
  if (region == ARMCII_ANYWHERE) {
    anywhere[target] |= (uint8_t)how;
  } else {
    region->written[target] |= (uint8_t)how;
  }
}

HOT_OF_RMA bool armcii_region_pending(uint32_t target, const armcii_region_t* region, armcii_write_t how) {
  if (on_their_way(target, how) == 0) return false;
  return region == ARMCII_ANYWHERE || ((anywhere[target] | region->written[target]) & how) != 0;
}
