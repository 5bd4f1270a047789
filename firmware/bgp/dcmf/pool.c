// SPDX-License-Identifier: Apache-2.0
// Pools: what waits or is being received, for which a program gives no memory.
#include "firmware/bgp/dcmf/state.h"

enum { ELEMENTS = 16 };  // made at a time

void* dcmf_pool_take(dcmf_pool_t* pool, size_t bytes) {
  if (pool->free == NULL) {
    const size_t step = (bytes + 15) / 16 * 16;
    char* elements = dcmf_allocate(step * ELEMENTS, 16);
    for (unsigned i = 0; i < ELEMENTS; ++i) dcmf_pool_give(pool, elements + step * (ELEMENTS - 1 - i));
  }
  void* element = pool->free;
  memcpy(&pool->free, element, sizeof pool->free);
  return element;
}

void dcmf_pool_give(dcmf_pool_t* pool, void* element) {
  memcpy(element, &pool->free, sizeof pool->free);
  pool->free = element;
}
