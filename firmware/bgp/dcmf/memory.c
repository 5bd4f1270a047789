// SPDX-License-Identifier: Apache-2.0
// Memory for the layer itself, and memory that processes of a node share.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/bgp/dcmf/collective/node.h"

void* dcmf_reserve(size_t bytes, size_t alignment) {
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* memory = aligned_alloc(alignment, whole);
  if (memory == NULL) dcmf_fatal("no memory for %zu bytes of the layer", bytes);
  return memory;
}

void* dcmf_allocate(size_t bytes, size_t alignment) {
  return memset(dcmf_reserve(bytes, alignment), 0, bytes);
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
