// SPDX-License-Identifier: Apache-2.0
// Memory regions. The DMA reaches all memory of a process, so there is nothing to pin: a region only says where it is.
#include "firmware/bgp/dcmf/memregion.h"

// How far physical addresses are from the process's own.
static bool difference(const void* memory, size_t bytes, uintptr_t* delta) {
  uint32_t physical;
  if (!dcmf_physical(memory, bytes, &physical)) return false;
  *delta = (uintptr_t)memory - physical;
  return true;
}

DCMF_Result DCMF_Memregion_create(DCMF_Memregion_t* memregion, size_t* bytes_out, size_t bytes_in, void* base,
                                  uint64_t options) {
  (void)options;
  const dcmf_state_t* state = dcmf_instance;
  if (memregion == NULL || !state->initialised) return DCMF_INVAL;
  dcmf_region_t* region = (dcmf_region_t*)(void*)memregion;
  // A region that begins at address 0 is all memory of the process, whatever size a client gives it: the end of the
  // address space, or the node's memory. All of it but what it shares with others of its node is as far from its
  // physical address; the exception is dcmf_region_address()'s.
  const bool all = base == NULL;
  if (!difference(all ? (void*)state->peers : base, all ? 1 : bytes_in, &region->delta)) return DCMF_INVAL;
  region->base = (uintptr_t)base;
  region->bytes = bytes_in;
  region->scratch = state->scratch;
  region->group = (uint8_t)state->group;
  region->counter = DCMF_COUNTER_MEMORY;
  if (bytes_out) *bytes_out = bytes_in;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Memregion_destroy(DCMF_Memregion_t* memregion) {
  return memregion ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_Memregion_query(DCMF_Memregion_t* memregion, size_t* bytes, void** base) {
  if (memregion == NULL) return DCMF_INVAL;
  const dcmf_region_t* region = (const dcmf_region_t*)(void*)memregion;
  if (bytes) *bytes = region->bytes;
  if (base) *base = (void*)region->base;
  return DCMF_SUCCESS;
}
