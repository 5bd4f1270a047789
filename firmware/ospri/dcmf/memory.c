// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "firmware/ospri/dcmf/memory.h"

#include <stdint.h>
#include <sys/mman.h>

#include "firmware/ospri/dcmf/fatal.h"

enum { LEAST = 64, CLASSES = 12, CHUNK = 1 << 20, PAGE = 1 << 16 };

/// In front of each piece. Pieces of one class are LEAST << class bytes, this included; larger ones are pages of their
/// own.
typedef struct piece {
  struct piece* next;  ///< that is free
  uint32_t class;
  size_t bytes;
} __attribute__((aligned(16))) piece_t;

static piece_t* free_pieces[CLASSES];
static char *chunk, *chunk_end;

static void* pages(size_t bytes) {
  void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) ospri_fatal("no memory for %lu bytes", (unsigned long)bytes);
  return memory;
}

static piece_t* carve(size_t bytes) {
  if (!chunk || (size_t)(chunk_end - chunk) < bytes) {
    chunk = pages(CHUNK);
    chunk_end = chunk + CHUNK;
  }
  piece_t* const piece = (piece_t*)(void*)chunk;
  chunk += bytes;
  return piece;
}

void* ospri_take_memory(size_t bytes) {
  const size_t whole = bytes + sizeof(piece_t);
  uint32_t class = 0;
  while (class < CLASSES && ((size_t)LEAST << class) < whole) ++class;
  piece_t* piece;
  if (class == CLASSES) {
    const size_t all = (whole + PAGE - 1) / PAGE * PAGE;
    piece = pages(all);
    piece->bytes = all;
  } else if (free_pieces[class]) {
    piece = free_pieces[class];
    free_pieces[class] = piece->next;
  } else {
    piece = carve((size_t)LEAST << class);
  }
  piece->class = class;
  return piece + 1;
}

void ospri_give_memory(void* memory) {
  piece_t* const piece = (piece_t*)memory - 1;
  if (piece->class == CLASSES) {
    munmap(piece, piece->bytes);
    return;
  }
  piece->next = free_pieces[piece->class];
  free_pieces[piece->class] = piece;
}
