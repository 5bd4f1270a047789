/* SPDX-License-Identifier: Apache-2.0 */
#include "drivers/bgp/spi_internal.h"

#define MOST_SEGMENTS 4

/* Of all cores: the segments of core 0, then those of core 1, and so on. */
static DMA_CounterAppSegment_t segments[DMA_MAX_NUM_CORES * MOST_SEGMENTS];

DMA_CounterAppSegment_t* DMA_CounterAppSegmentArray;
uint32_t DMA_CounterNumAppSegments;
int DMA_CounterCachedAppSegmentIndex[DMA_MAX_NUM_CORES];
uint32_t DMA_CounterMinPaAccessibleFromUserMode[DMA_MAX_NUM_CORES];

/* Reads one core's segments, and sets *least to the least address of them, >> 4. The kernel answers EINVAL for a core
   without a process: a job may have fewer ranks than places. Such a core has no segments. */
static int read_core(DMA_CounterAppSegment_t* to, uint32_t count, uint32_t core, uint32_t* least) {
  *least = UINT32_MAX;
  for (uint32_t number = 0; number < count; number++) {
    uint32_t va, bytes;
    uint64_t pa;
    const int error = Kernel_GetAppSegmentMapping(number, core, &va, &pa, &bytes);
    if (error == EINVAL) return 0;
    if (error != 0) return error;
    to[number].length = bytes;
    to[number].va_base = va;
    to[number].pa_base = (uint32_t)(pa >> 4);
    to[number].va_max = va + bytes - 1;
    if (to[number].pa_base < *least) *least = to[number].pa_base;
  }
  return 0;
}

int DMA_CounterInitAppSegments(void) {
  uint32_t count;
  const int error = Kernel_GetAppSegmentCount(&count);
  if (error != 0) return error;
  SPI_assert(count <= MOST_SEGMENTS);
  for (uint32_t core = 0; core < DMA_MAX_NUM_CORES; core++) {
    const int failed = read_core(&segments[core * count], count, core, &DMA_CounterMinPaAccessibleFromUserMode[core]);
    if (failed != 0) return failed;
  }
  DMA_CounterNumAppSegments = count;
  DMA_CounterAppSegmentArray = segments;
  return 0;
}

void DMA_CounterGetMinMaxVa(void** va_min, void** va_max) {
  *va_min = NULL;
  *va_max = (void*)UINT32_MAX;
  if (DMA_CounterAppSegmentArray == NULL) return;
  const DMA_CounterAppSegment_t* own = DMA_CounterGetAppSegments((unsigned)Kernel_PhysicalProcessorID());
  const DMA_CounterAppSegment_t* lowest = own;
  const DMA_CounterAppSegment_t* highest = own;
  for (uint32_t number = 1; number < DMA_CounterNumAppSegments; number++) {
    if (own[number].pa_base < lowest->pa_base) lowest = &own[number];
    if (own[number].pa_base > highest->pa_base) highest = &own[number];
  }
  *va_min = (void*)lowest->va_base;
  *va_max = (void*)highest->va_max;
}

int DMA_AddressingInitPhase1(void) {
  return DMA_CounterInitAppSegments();
}

void DMA_AddressingGetMinMaxVa(void** va_min, void** va_max) {
  DMA_CounterGetMinMaxVa(va_min, va_max);
}

/* The segment that contains va; NULL if there is none. */
static const DMA_CounterAppSegment_t* find(const DMA_CounterAppSegment_t* of_core, unsigned int core, uint32_t va) {
  const int last = DMA_CounterCachedAppSegmentIndex[core];
  if (va - of_core[last].va_base < of_core[last].length) return &of_core[last];
  for (uint32_t number = 0; number < DMA_CounterNumAppSegments; number++)
    if (va - of_core[number].va_base < of_core[number].length) {
      DMA_CounterCachedAppSegmentIndex[core] = (int)number;
      return &of_core[number];
    }
  return NULL;
}

unsigned int DMA_CounterGetOffsetFromBase(const DMA_Counter_t* c_sw, void* va, unsigned int length,
                                          unsigned int coreNum) {
  SPI_assert(c_sw != NULL);
  SPI_assert(va != NULL);
  const DMA_CounterAppSegment_t* segment = find(DMA_CounterGetAppSegments(coreNum), coreNum, (uint32_t)va);
  if (segment == NULL || (length != 0 && (uint32_t)va + (length - 1) > segment->va_max)) {
    printf("DMA_CounterGetOffsetFromBase: %u bytes at 0x%08x are not in one segment of the process on core %u\n",
           length, (unsigned)va, coreNum);
    SPI_assert(0);
    return 0;
  }
  const uint32_t base = (unsigned)Kernel_PhysicalProcessorID() == coreNum
                            ? c_sw->pa_base
                            : DMA_CounterMinPaAccessibleFromUserMode[coreNum];
  return ((segment->pa_base - base) << 4) + ((uint32_t)va - segment->va_base);
}
