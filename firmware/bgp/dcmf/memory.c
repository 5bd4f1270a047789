// SPDX-License-Identifier: Apache-2.0
// Memory for the layer itself, and memory that processes of a node share.
#include <stdlib.h>

#include "firmware/bgp/dcmf/state.h"

void* dcmf_reserve(size_t bytes, size_t alignment) {
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* memory = aligned_alloc(alignment, whole);
  if (memory == NULL) dcmf_fatal("no memory for %zu bytes of the layer", bytes);
  return memory;
}

void* dcmf_allocate(size_t bytes, size_t alignment) {
  return memset(dcmf_reserve(bytes, alignment), 0, bytes);
}

dcmf_shared_t dcmf_find_shared(void) {
  dcmf_shared_t shared = {0, 0, 0};
  uint32_t count, start, bytes;
  uint64_t physical;
  // It is the last segment, if there is one.
  if (Kernel_ProcessCount() > 1 && Kernel_GetAppSegmentCount(&count) == 0 &&
      Kernel_GetAppSegmentMapping(count - 1, (uint32_t)Kernel_PhysicalProcessorID(), &start, &physical, &bytes) == 0) {
    shared.start = start;
    shared.bytes = bytes;
    shared.delta = start - (uintptr_t)physical;
  }
  return shared;
}
