// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/interrupted.h"

#include <stdint.h>

#include "firmware/mpi/error.h"
#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

volatile bool mpii_interrupted;

void mpii_got_lock(void) {
  mpii_interrupted = false;
  mpii_do_later();
}

void mpii_lets_interrupt(void) {
  mpii_running = "an access by another process";
  mpii_interrupted = true;
}

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
} __attribute__((aligned(32))) block_t;
_Static_assert(sizeof(block_t) == 32, "blocks are aligned");

static block_t* spare[MOST + 1];
static struct { uintptr_t start, end; } areas[AREAS_MAX];
static unsigned area_count;
static uintptr_t fresh, fresh_end;  ///< what of the latest area has not been used yet

static block_t* cut(uint32_t bits) {
  const uint32_t bytes = UINT32_C(1) << bits;
  if (fresh_end - fresh < bytes) {
    const uint32_t area = bytes > UINT32_C(1) << AREA_BITS ? bytes : UINT32_C(1) << AREA_BITS;
    if (area_count == AREAS_MAX) return NULL;
    fresh = mpit_pages(area);
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

void* mpii_interrupted_allocate(size_t bytes) {
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

bool mpii_interrupted_free(void* memory) {
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

void mpii_later(void (*function)(void* object), void* object) {
  later_t* later = mpii_allocate(sizeof *later);
  later->function = function;
  later->object = object;
  *end = later;
  end = &later->next;
}

void mpii_do_later(void) {
  while (first != NULL) {
    later_t* later = first;
    first = later->next;
    if (first == NULL) end = &first;
    later->function(later->object);
    mpii_free(later);
  }
}
