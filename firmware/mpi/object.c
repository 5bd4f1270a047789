// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/object.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/error.h"
#include "firmware/mpi/interrupted.h"

/// The objects of a kind by their numbers. A free place holds the number of the next free one, shifted and marked by
/// its lowest bit: no object lies at an odd address.
typedef struct {
  uintptr_t* places;
  uint32_t size;
  uint32_t free;  ///< 0: none
} table_t;

static table_t tables[MPII_KINDS];

void* mpii_object(int handle, mpii_kind_t kind) {
  const table_t* table = &tables[kind];
  const uint32_t number = (uint32_t)handle & MPII_NUMBER_MASK;
  if ((uint32_t)handle >> MPII_KIND_SHIFT != (uint32_t)kind || number >= table->size) return NULL;
  const uintptr_t place = table->places[number];
  return (place & 1) != 0 ? NULL : (void*)place;
}

/// Make room for `least` more numbers at the end, all free.
static void grow(table_t* table, uint32_t least) {
  const uint32_t size = table->size == 0 ? 16 : 2 * table->size;
  const uint32_t wanted = size > least ? size : least;
  if (wanted > MPII_NUMBER_MASK) mpii_end("more than %d objects of a kind", MPII_NUMBER_MASK);
  uintptr_t* places = realloc(table->places, wanted * sizeof *places);
  if (places == NULL) mpii_end("no memory for %u handles", wanted);
  table->places = places;
  for (uint32_t number = wanted; number-- > table->size;) {
    if (number == 0) {
      places[0] = 1;  // the null handle
      continue;
    }
    places[number] = (uintptr_t)table->free << 1 | 1;
    table->free = number;
  }
  table->size = wanted;
}

int mpii_object_open(void* object, mpii_kind_t kind) {
  table_t* table = &tables[kind];
  if (table->free == 0) grow(table, 0);
  const uint32_t number = table->free;
  table->free = (uint32_t)(table->places[number] >> 1);
  table->places[number] = (uintptr_t)object;
  mpii_object_t* head = object;
  head->handle = (int)((uint32_t)kind << MPII_KIND_SHIFT | number);
  return head->handle;
}

void mpii_object_open_as(void* object, int handle) {
  table_t* table = &tables[(uint32_t)handle >> MPII_KIND_SHIFT];
  const uint32_t number = (uint32_t)handle & MPII_NUMBER_MASK;
  if (number >= table->size) grow(table, number + 1);
  // Predefined objects come first and in no order: look for the place in the list of free ones.
  uint32_t previous = 0;
  for (uint32_t at = table->free; at != number; at = (uint32_t)(table->places[at] >> 1)) previous = at;
  if (previous == 0) {
    table->free = (uint32_t)(table->places[number] >> 1);
  } else {
    table->places[previous] = table->places[number];
  }
  table->places[number] = (uintptr_t)object;
  mpii_object_t* head = object;
  head->handle = handle;
  head->references = 1;
}

void mpii_object_close(void* object) {
  mpii_object_t* head = object;
  table_t* table = &tables[(uint32_t)head->handle >> MPII_KIND_SHIFT];
  const uint32_t number = (uint32_t)head->handle & MPII_NUMBER_MASK;
  table->places[number] = (uintptr_t)table->free << 1 | 1;
  table->free = number;
  head->handle = 0;
}

void* mpii_program_allocate(size_t bytes) {
  void* memory = calloc(1, bytes != 0 ? bytes : 1);
  if (memory == NULL) mpii_end("no memory for %lu bytes", (unsigned long)bytes);
  return memory;
}

void* mpii_allocate(size_t bytes) {
  void* memory = mpii_interrupted ? mpii_interrupted_allocate(bytes) : calloc(1, bytes != 0 ? bytes : 1);
  if (memory == NULL) mpii_end("no memory for %lu bytes", (unsigned long)bytes);
  return mpii_interrupted ? memset(memory, 0, bytes) : memory;
}

void* mpii_allocate_aligned(size_t bytes) {
  const size_t whole = (bytes + 31) / 32 * 32;
  void* memory = mpii_interrupted ? mpii_interrupted_allocate(whole) : aligned_alloc(32, whole != 0 ? whole : 32);
  if (memory == NULL) mpii_end("no memory for %lu bytes", (unsigned long)bytes);
  return memset(memory, 0, whole);
}

void mpii_free(void* memory) {
  if (memory == NULL || mpii_interrupted_free(memory)) return;
  if (mpii_interrupted) {
    mpii_later(free, memory);
  } else {
    free(memory);
  }
}
