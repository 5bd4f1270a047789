// SPDX-License-Identifier: Apache-2.0
// Physical addresses. A process has few segments, and each is one piece of physical memory for good, so what the kernel
// has told once is kept.
#include "firmware/bgq/pami/job.h"
#include "firmware/bgq/pami/spi.h"
#include "firmware/hot.h"

enum { kSegments = 16 };

typedef struct segment {
  uint64_t va;
  uint64_t bytes;
  uint64_t pa;
} segment_t;

static segment_t segments[kSegments];
static unsigned known;
static uint32_t lock;

static const segment_t* find(uint64_t va) {
  const unsigned count = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; ++i)
    if (va - segments[i].va < segments[i].bytes) return &segments[i];
  return NULL;
}

// Asks the kernel. The heap's segment is all of it, whatever malloc() has taken.
HOT_OF_RMA static const segment_t* ask(uint64_t va) {
  Kernel_MemoryRegion_t region;
  if (Kernel_CreateMemoryRegion(&region, (void*)va, 1) != 0) return NULL;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) continue;
  const segment_t* found = find(va);
  if (found == NULL && known < kSegments) {
    segments[known] = (segment_t){.va = (uint64_t)region.BaseVa, .bytes = region.Bytes, .pa = (uint64_t)region.BasePa};
    found = &segments[known];
    __atomic_store_n(&known, known + 1, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return found;
}

HOT_OF_RMA uint64_t pami_physical_bytes(const volatile void* at, uint64_t* pa) {
  const uint64_t va = (uint64_t)at;
  const segment_t* segment = find(va);
  if (segment == NULL) segment = ask(va);
  if (segment == NULL) return 0;
  *pa = va - segment->va + segment->pa;
  return segment->bytes - (va - segment->va);
}

HOT_OF_RMA uint64_t pami_physical(const volatile void* at, const char* who) {
  uint64_t pa = 0;
  if (pami_physical_bytes(at, &pa) == 0) pami_fatal("%s: %p is no memory of this process", who, (const void*)at);
  return pa;
}

void* pami_virtual(uint64_t pa) {
  const unsigned count = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; ++i)
    if (pa - segments[i].pa < segments[i].bytes) return (void*)(pa - segments[i].pa + segments[i].va);
  return NULL;
}
