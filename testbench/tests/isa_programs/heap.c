// SPDX-License-Identifier: Apache-2.0
//
// malloc(), realloc(), free() and memory of the kernel's, with contents that are checked.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 200 };
static unsigned char* blocks[BLOCKS];
static size_t sizes[BLOCKS];

static unsigned check(unsigned i) {
  unsigned wrong = 0;
  for (size_t at = 0; at < sizes[i]; ++at) wrong += blocks[i][at] != (unsigned char)(i + at);
  return wrong;
}

static void fill(unsigned i, size_t from) {
  for (size_t at = from; at < sizes[i]; ++at) blocks[i][at] = (unsigned char)(i + at);
}

int main(void) {
  unsigned seed = 99, wrong = 0, misaligned = 0;
  for (unsigned step = 0; step < 3000; ++step) {
    seed = seed * 1664525u + 1013904223u;
    const unsigned i = seed >> 8 & 0xffff, which = i % BLOCKS;
    const size_t size = seed >> 20 == 7 ? 300000 : (seed >> 12) % 3000 + 1;
    if (blocks[which] == NULL) {
      blocks[which] = step % 3 == 0 ? calloc(1, size) : malloc(size);
      sizes[which] = size;
      fill(which, 0);
    } else if (step % 2 == 0) {
      wrong += check(which);
      const size_t old = sizes[which];
      blocks[which] = realloc(blocks[which], size);
      sizes[which] = size < old ? size : old;
      wrong += check(which);
      sizes[which] = size;
      fill(which, 0);
    } else {
      wrong += check(which);
      free(blocks[which]);
      blocks[which] = NULL;
    }
    misaligned += (uintptr_t)blocks[which] % 8 != 0;
  }
  void* aligned = NULL;
  wrong += posix_memalign(&aligned, 4096, 10000) != 0 || (uintptr_t)aligned % 4096 != 0;
  unsigned char* const pages = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  wrong += pages == MAP_FAILED || pages[12345] != 0;
  memset(pages, 1, 1 << 20);
  wrong += munmap(pages, 1 << 20) != 0;
  printf("%u wrong, %u misaligned\n", wrong, misaligned);
  return 0;
}
