// SPDX-License-Identifier: Apache-2.0
// Memory for the layer itself.
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
