// SPDX-License-Identifier: Apache-2.0
// Memory for the layer itself, and memory that processes of a node share.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/bgp/dcmf/collective/node.h"

static void* pages(size_t bytes) {
  void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) dcmf_fatal("no memory for %zu bytes of the layer", bytes);
  return memory;
}

// Not from malloc(): advance() may run in an interrupt of a program that is in the middle of that.
void* dcmf_allocate(size_t bytes, size_t alignment) {
  enum { SLAB = 1 << 16 };
  static char *next, *end;
  if (bytes >= SLAB) return pages(bytes);
  const size_t skipped = -(uintptr_t)next & (alignment - 1);
  if ((size_t)(end - next) < skipped + bytes) {
    next = pages(SLAB);
    end = next + SLAB;
  } else {
    next += skipped;
  }
  char* const memory = next;
  next += bytes;
  return memory;
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

void* dcmf_node_memory(size_t bytes) {
  const int file = shm_open("/dcmf", O_CREAT | O_RDWR, 0600);
  if (file < 0) return NULL;
  void* memory =
      ftruncate(file, (off_t)bytes) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}
