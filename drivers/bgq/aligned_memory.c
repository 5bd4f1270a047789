/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of the heap begin at multiples of 32 bytes, as the machine's C library has it: vector loads and stores leave
 * out the low five bits of an address, and software that allocates what it moves with them relies on it (the machine's
 * SPI examples, PAMI). The linker gives these functions the place of the C library's (firmware/bgq/toolchain.json).
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 32 };

void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t count, size_t bytes);
void* __wrap_realloc(void* block, size_t bytes);
int __wrap_posix_memalign(void** block, size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes) {
  return memalign(ALIGNMENT, bytes);
}

void* __wrap_calloc(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) {
    errno = ENOMEM;
    return NULL;
  }
  void* const block = memalign(ALIGNMENT, count * bytes);
  return block == NULL ? NULL : memset(block, 0, count * bytes);
}

void* __wrap_realloc(void* block, size_t bytes) {
  if (block == NULL) return memalign(ALIGNMENT, bytes);
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  const size_t before = malloc_usable_size(block);
  if (bytes <= before && before - bytes < before / 2) return block;
  void* const moved = memalign(ALIGNMENT, bytes);
  if (moved == NULL) return NULL;
  memcpy(moved, block, before < bytes ? before : bytes);
  free(block);
  return moved;
}

int __real_posix_memalign(void** block, size_t alignment, size_t bytes);

int __wrap_posix_memalign(void** block, size_t alignment, size_t bytes) {
  const int bad = alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0;
  return __real_posix_memalign(block, !bad && alignment < ALIGNMENT ? ALIGNMENT : alignment, bytes);
}
