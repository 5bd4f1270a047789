// SPDX-License-Identifier: Apache-2.0
// Physical addresses. The DMA's counters stand for all of memory, so descriptors hold physical addresses; the kernel
// maps a process in pages of 1 MB, of which the last ones asked for are kept.
#include "firmware/bgp/dcmf/state.h"

static const dcmf_translation_t* translate(uintptr_t page, const char* inside) {
  dcmf_translation_t* found = &dcmf_instance->translations[page % DCMF_TRANSLATIONS];
  if (found->page != page + 1) {
    uint32_t upper, lower;
    if (Kernel_Virtual2Physical((void*)(uintptr_t)inside, 1, &upper, &lower) != 0 || upper != 0) return NULL;
    found->page = page + 1;
    found->physical = lower - (uint32_t)((uintptr_t)inside - (page << DCMF_PAGE_SHIFT));
  }
  return found;
}

bool dcmf_physical(const void* memory, size_t bytes, uint32_t* physical) {
  const uintptr_t from = (uintptr_t)memory;
  const uintptr_t first = from >> DCMF_PAGE_SHIFT;
  const dcmf_translation_t* page = translate(first, memory);
  if (page == NULL) return false;
  *physical = page->physical + (uint32_t)(from - (first << DCMF_PAGE_SHIFT));
  if (bytes == 0) return true;
  const uintptr_t last = (from + bytes - 1) >> DCMF_PAGE_SHIFT;
  if (from + bytes - 1 < from) return false;
  // The last page is asked for by the last byte, which is mapped if any of it is.
  for (uintptr_t next = first + 1; next <= last; ++next) {
    const char* inside = next == last ? (const char*)memory + bytes - 1 : (const char*)(next << DCMF_PAGE_SHIFT);
    const dcmf_translation_t* other = translate(next, inside);
    if (other == NULL || other->physical != *physical + (uint32_t)((next << DCMF_PAGE_SHIFT) - from)) return false;
  }
  return true;
}

uint32_t dcmf_physical_of(const char* call, const void* memory, size_t bytes) {
  uint32_t physical;
  if (!dcmf_physical(memory, bytes, &physical)) {
    dcmf_fatal("%s: %zu bytes at %p are not memory of this process", call, bytes, memory);
  }
  return physical;
}
