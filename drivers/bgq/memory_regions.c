/* SPDX-License-Identifier: Apache-2.0 */
/* The memory regions that a process has asked for. Few and without end: what no longer finds room is asked for again.
 */
#include <spi/include/kernel/memory.h>

CNKSPI_MemoryRegionCacheElement_t _cnkspi_MemoryRegionCache[CNKSPI_MAX_NUM_CACHED_MEMORY_REGIONS];
uint64_t _cnkspi_MemoryRegionCacheNumElements;
uint64_t _cnkspi_MemoryRegionCacheLastAccessedElementNumber;
uint64_t _cnkspi_MemoryRegionCacheLock;

static void keep(const Kernel_MemoryRegion_t* region) {
  uint64_t unlocked = 0;
  while (!Compare_and_Swap(&_cnkspi_MemoryRegionCacheLock, &unlocked, 1)) unlocked = 0;
  isync();
  const uint64_t number = _cnkspi_MemoryRegionCacheNumElements;
  if (number < CNKSPI_MAX_NUM_CACHED_MEMORY_REGIONS) {
    CNKSPI_MemoryRegionCacheElement_t* const element = &_cnkspi_MemoryRegionCache[number];
    element->startPtr = region->BaseVa;
    element->PA = region->BasePa;
    element->bytes = region->Bytes;
    ppc_msync(); /* others look at endPtr: with it the element is there */
    element->endPtr = (char*)region->BaseVa + region->Bytes - 1;
    _cnkspi_MemoryRegionCacheNumElements = number + 1;
    _cnkspi_MemoryRegionCacheLastAccessedElementNumber = number;
  }
  ppc_msync();
  _cnkspi_MemoryRegionCacheLock = 0;
}

uint32_t bgq_create_memory_region(Kernel_MemoryRegion_t* memregion, void* base_virtualaddress, size_t requested_size) {
  const char* const first = base_virtualaddress;
  const char* const last = first + requested_size - 1;
  for (uint64_t i = 0; i < CNKSPI_MAX_NUM_CACHED_MEMORY_REGIONS; ++i) {
    const CNKSPI_MemoryRegionCacheElement_t* const element = &_cnkspi_MemoryRegionCache[i];
    if (first < (const char*)element->startPtr || last > (const char*)element->endPtr) continue;
    memregion->Bytes = element->bytes;
    memregion->BaseVa = element->startPtr;
    memregion->BasePa = element->PA;
    _cnkspi_MemoryRegionCacheLastAccessedElementNumber = i;
    return 0;
  }
  const uint32_t error = (uint32_t)CNK_SPI_SYSCALL_3(GETMEMORYREGION, memregion, base_virtualaddress, requested_size);
  if (error == 0) keep(memregion);
  return error;
}

const CNKSPI_MemoryRegionCacheElement_t* bgq_find_physical(const void* PA) {
  for (unsigned i = 0; i < CNKSPI_MAX_NUM_CACHED_MEMORY_REGIONS; ++i) {
    const CNKSPI_MemoryRegionCacheElement_t* const element = &_cnkspi_MemoryRegionCache[i];
    const uint64_t offset = (uint64_t)PA - (uint64_t)element->PA;
    if (element->endPtr != NULL && offset < element->bytes) return element;
  }
  return NULL;
}
