// SPDX-License-Identifier: Apache-2.0
// Memory regions. The kernel maps a process's memory as a few segments, which stay where they are: a region for each,
// made when it is first needed, serves all messages.
#include <spi/include/kernel/memory.h>

#include "firmware/mpi/transport/bgq/bgq.h"

enum { REGIONS = 8 };  // text, data, heap with stack, shared memory; and some that later kernels may have

static mpit_bgq_region_t regions[REGIONS];
static unsigned known;

static mpit_bgq_region_t* add(uintptr_t address) {
  Kernel_MemoryRegion_t segment;
  if (known == REGIONS || Kernel_CreateMemoryRegion(&segment, (void*)address, 1) != 0) return NULL;
  mpit_bgq_region_t* region = &regions[known];
  size_t bytes;
  if (PAMI_Memregion_create(mpit_bgq_context, segment.BaseVa, segment.Bytes, &bytes, &region->memory) != PAMI_SUCCESS) {
    return NULL;
  }
  region->base = (uintptr_t)segment.BaseVa;
  region->bytes = bytes;
  known += 1;
  return region;
}

mpit_bgq_region_t* mpit_bgq_region(uintptr_t address, size_t bytes) {
  for (unsigned i = 0; i < known; ++i) {
    if (mpit_bgq_holds(&regions[i], address, bytes)) return &regions[i];
  }
  mpit_bgq_region_t* region = add(address);
  return region != NULL && mpit_bgq_holds(region, address, bytes) ? region : NULL;
}
