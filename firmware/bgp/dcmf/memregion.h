// SPDX-License-Identifier: Apache-2.0
/// What is in a DCMF_Memregion_t. It is copied to other ranks, so it holds all that they need.
#ifndef TOROID_FIRMWARE_DCMF_MEMREGION_H
#define TOROID_FIRMWARE_DCMF_MEMREGION_H

#include "firmware/bgp/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uintptr_t base;
  size_t bytes;
  uintptr_t delta;   ///< an address in the process, less its physical address
  uint32_t scratch;  ///< physical address of a quad that means nothing
  uint8_t group;     ///< of the DMA
  uint8_t counter;   ///< reception counter that stands for all of memory
} dcmf_region_t;
_Static_assert(sizeof(dcmf_region_t) <= sizeof(DCMF_Memregion_t), "a region holds what it has to");

/// The physical address of `offset` of a region; false if `bytes` from there on are not within it. A region that begins
/// at address 0 is all memory of the process, which is mapped at higher addresses than the memory's size.
static inline bool dcmf_region_address(DCMF_Memregion_t* memregion, size_t offset, size_t bytes, uint32_t* physical) {
  const dcmf_region_t* region = (const dcmf_region_t*)(void*)memregion;
  const bool all = region->base == 0;
  if (!all && (offset > region->bytes || bytes > region->bytes - offset)) return false;
  // Memory that processes share is elsewhere than the rest of a region of all memory, on every node alike.
  const uintptr_t from = region->base + offset;
  const dcmf_shared_t* shared = &dcmf_instance->shared;
  const bool is_shared = all && from - shared->start < shared->bytes;
  if (is_shared && bytes > shared->bytes - (from - shared->start)) return false;
  *physical = (uint32_t)(from - (is_shared ? shared->delta : region->delta));
  return true;
}

#ifdef __cplusplus
}
#endif

#endif
