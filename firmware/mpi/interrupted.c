// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/interrupted.h"

#include <stdint.h>

#include "firmware/mpi/object.h"

volatile bool bglmpi_interrupted;

// ---------------------------------------------------------------------------------------------------------------
// Memory: blocks of powers of two, of areas that the kernel gives.

enum {
  LEAST = 6,       ///< blocks of 64 bytes
  MOST = 30,       ///< and of a gigabyte
  AREA_BITS = 18,  ///< of an area, where the block is not larger
  AREAS_MAX = 128,
};

/// In front of every block, as long as blocks are aligned.
typedef struct block {
  struct block* next;
  uint32_t bits;
  uint32_t unused[6];
} block_t;
_Static_assert(sizeof(block_t) == 32, "blocks are aligned");

static block_t* spare[MOST + 1];
static struct { uintptr_t start, end; } areas[AREAS_MAX];
static unsigned area_count;
static uintptr_t fresh, fresh_end;  ///< what of the latest area has not been used yet

/// mmap(), without the C library: it takes six arguments.
static uintptr_t map(uint32_t bytes) {
  enum { MMAP2 = 192, READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
  register uint32_t r0 __asm__("r0") = MMAP2;
  register uint32_t r3 __asm__("r3") = 0;
  register uint32_t r4 __asm__("r4") = bytes;
  register uint32_t r5 __asm__("r5") = READ_WRITE;
  register uint32_t r6 __asm__("r6") = PRIVATE_ANONYMOUS;
  register uint32_t r7 __asm__("r7") = UINT32_MAX;
  register uint32_t r8 __asm__("r8") = 0;
  uint32_t condition;
  __asm__ volatile("sc\n\tmfcr %7"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8), "=&r"(condition)
                   :
                   : "r9", "r10", "r11", "r12", "cr0", "ctr", "xer", "memory");
  return (condition & 0x10000000u) != 0 ? 0 : r3;
}

static block_t* cut(uint32_t bits) {
  const uint32_t bytes = UINT32_C(1) << bits;
  if (fresh_end - fresh < bytes) {
    const uint32_t area = bytes > UINT32_C(1) << AREA_BITS ? bytes : UINT32_C(1) << AREA_BITS;
    if (area_count == AREAS_MAX) return NULL;
    fresh = map(area);
    fresh_end = fresh == 0 ? 0 : fresh + area;
    if (fresh == 0) return NULL;
    areas[area_count].start = fresh;
    areas[area_count].end = fresh_end;
    area_count += 1;
  }
  block_t* block = (block_t*)fresh;
  block->bits = bits;
  fresh += bytes;
  return block;
}

void* bglmpi_interrupted_allocate(size_t bytes) {
  uint32_t bits = LEAST;
  while (bits < MOST && (UINT32_C(1) << bits) - sizeof(block_t) < bytes) bits += 1;
  if ((UINT32_C(1) << bits) - sizeof(block_t) < bytes) return NULL;
  block_t* block = spare[bits];
  if (block != NULL) {
    spare[bits] = block->next;
  } else {
    block = cut(bits);
    if (block == NULL) return NULL;
  }
  return block + 1;
}

bool bglmpi_interrupted_free(void* memory) {
  const uintptr_t address = (uintptr_t)memory;
  for (unsigned i = 0; i < area_count; ++i) {
    if (address < areas[i].start || address >= areas[i].end) continue;
    block_t* block = (block_t*)memory - 1;
    block->next = spare[block->bits];
    spare[block->bits] = block;
    return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Later

typedef struct later {
  struct later* next;
  void (*function)(void* object);
  void* object;
} later_t;

static later_t* first;
static later_t** end = &first;

void bglmpi_later(void (*function)(void* object), void* object) {
  later_t* later = bglmpi_allocate(sizeof *later);
  later->function = function;
  later->object = object;
  *end = later;
  end = &later->next;
}

void bglmpi_do_later(void) {
  while (first != NULL) {
    later_t* later = first;
    first = later->next;
    if (first == NULL) end = &first;
    later->function(later->object);
    bglmpi_free(later);
  }
}
