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

// Buffers, by powers of two.
static unsigned class_of(uint32_t bytes) {
  unsigned found = 0;
  while (((uint32_t)DCMF_BUFFER_LEAST << found) < bytes) ++found;
  return found;
}

char* dcmf_buffer_take(uint32_t bytes) {
  const unsigned number = class_of(bytes);
  dcmf_pool_t* pool = &dcmf_instance->buffers[number];
  if (pool->free == NULL) dcmf_pool_give(pool, dcmf_allocate((size_t)DCMF_BUFFER_LEAST << number, 16));
  return dcmf_pool_take(pool, 0);
}

void dcmf_buffer_give(char* buffer, uint32_t bytes) {
  dcmf_pool_give(&dcmf_instance->buffers[class_of(bytes)], buffer);
}
