/* SPDX-License-Identifier: Apache-2.0 */
#include <spi/kernel_interface.h>

enum { kNoAddress = -1, kNotContiguous = -2, kNoScratch = -3, kBadParameter = -4 };

#define MOST_SEGMENTS 4

/* With a static map: the process's segments, read from the kernel once. */
static struct {
  uint32_t va, bytes;
  uint64_t pa;
} segments[MOST_SEGMENTS];
static volatile uint32_t segment_count;

static int read_segments(void) {
  uint32_t count;
  (void)Kernel_GetAppSegmentCount(&count);
  const uint32_t core = (uint32_t)Kernel_PhysicalProcessorID();
  for (uint32_t number = 0; number < count; number++)
    if (Kernel_GetAppSegmentMapping(number, core, &segments[number].va, &segments[number].pa, &segments[number].bytes))
      return 0;
  segment_count = count;
  return 1;
}

static int in_segments(uint32_t va, size_t bytes, uint32_t* upper, uint32_t* lower) {
  if (segment_count == 0 && !read_segments()) return kNoAddress;
  for (uint32_t number = 0; number < segment_count; number++) {
    const uint32_t offset = va - segments[number].va;
    if (offset >= segments[number].bytes) continue;
    if (bytes > segments[number].bytes - offset) return kNotContiguous;
    const uint64_t pa = segments[number].pa + offset;
    *upper = (uint32_t)(pa >> 32);
    *lower = (uint32_t)pa;
    return 0;
  }
  return kNoAddress;
}

/* Without a static map: text and data, shared memory and scratch memory, as the special registers state them. */

static int in_shared(uint32_t va, uint32_t last, uint32_t* upper, uint32_t* lower) {
  const uint32_t word = _bgp_mfspr(_BGP_SPRGRO_SHMem);
  const uint32_t start = word & BGP_SHMEM_VIRTUAL_START;
  const uint32_t bytes = (word & BGP_SHMEM_MB) >> BGP_SHMEM_MB_SHIFT << 20;
  if (va < start || last - start >= bytes) return kNoAddress;
  *upper = (word & BGP_SHMEM_UPPER) >> BGP_SHMEM_UPPER_SHIFT;
  *lower = va;
  return 0;
}

static int in_scratch(uint32_t va, uint32_t last, uint32_t* upper, uint32_t* lower) {
  const uint32_t megabytes = (_bgp_mfspr(_BGP_SPRGRO_DST2) & BGP_DST2_SCRATCH_MB) >> BGP_DST2_SCRATCH_MB_SHIFT;
  if (last - _BGP_VA_SCRATCH >= megabytes << 20) return kNoScratch;
  *upper = _BGP_UA_SCRATCH;
  *lower = va & _BGP_VM_SCRATCH;
  return 0;
}

static void in_range(uint32_t word, uint32_t va, uint32_t* upper, uint32_t* lower) {
  *upper = (word & BGP_RANGE_UPPER) >> BGP_RANGE_UPPER_SHIFT;
  *lower =
      ((word & BGP_RANGE_PHYSICAL_MB) >> BGP_RANGE_PHYSICAL_MB_SHIFT << 20) + (va - (word & BGP_RANGE_VIRTUAL_START));
}

static int in_ranges(uint32_t va, size_t bytes, uint32_t* upper, uint32_t* lower) {
  const uint32_t last = va + (uint32_t)bytes - 1;
  const uint32_t text = _bgp_mfspr(_BGP_SPRGRO_TextI);
  const uint32_t data = _bgp_mfspr(_BGP_SPRGRO_DataI);
  const uint32_t data_start = data & BGP_RANGE_VIRTUAL_START;
  const uint32_t data_end = data_start + (_bgp_mfspr(_BGP_SPRGRO_DST2) & BGP_DST2_DATA_SIZE) + _BGP_VMM_PAGE_MASK;
  if (last < va) return kNoAddress;
  if (va < (text & BGP_RANGE_VIRTUAL_START) || last > data_end)
    return va >= _BGP_VA_SCRATCH ? in_scratch(va, last, upper, lower) : in_shared(va, last, upper, lower);
  if (va >= data_start) {
    in_range(data, va, upper, lower);
    return 0;
  }
  if (last >= data_start) return kNotContiguous;
  in_range(text, va, upper, lower);
  return 0;
}

int Kernel_Virtual2Physical(void* pVA, size_t vsize, uint32_t* ua_out, uint32_t* pa_out) {
  if (vsize == 0 || ua_out == NULL || pa_out == NULL) return kBadParameter;
  return bgp_is_static_map() ? in_segments((uint32_t)pVA, vsize, ua_out, pa_out)
                             : in_ranges((uint32_t)pVA, vsize, ua_out, pa_out);
}
