// SPDX-License-Identifier: Apache-2.0
// Memory for the layer itself.
#include <stdlib.h>

#include "firmware/bgp/dcmf/state.h"

void* dcmf_allocate(size_t bytes, size_t alignment) {
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* memory = aligned_alloc(alignment, whole);
  if (memory == NULL) dcmf_fatal("no memory for %zu bytes of the layer", bytes);
  memset(memory, 0, whole);
  return memory;
}
