// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/win_layout.h"

#include <string.h>

void mpii_walk_begin(mpii_walk_t* walk, const void* buffer, uint32_t count, const mpii_datatype_t* datatype) {
  *walk = (mpii_walk_t){
      .datatype = datatype,
      .at = (uint8_t*)(uintptr_t)buffer,
      .left = datatype->size == 0 ? 0 : count,
      .dense = datatype->dense,
  };
}

/// The members of such an element lie apart: value and index of MPI_SHORT_INT.
static bool by_elements(const mpii_walk_t* walk) {
  return walk->whole && mpii_basic_has_gap(walk->datatype->basic);
}

uint32_t mpii_walk_piece(const mpii_walk_t* walk, uint8_t** at) {
  const mpii_datatype_t* datatype = walk->datatype;
  *at = walk->at;
  if (walk->left == 0) return 0;
  if (by_elements(walk)) {
    *at = walk->at + datatype->runs[walk->number].offset;
    return mpii_basic_size(datatype->basic);
  }
  const mpit_block_t* block = &datatype->blocks[walk->number];
  *at = walk->at + block->offset + walk->within;
  return (walk->dense ? walk->left * datatype->size : block->bytes) - walk->within;
}

void mpii_walk_on(mpii_walk_t* walk, uint32_t bytes) {
  uint8_t* at;
  const mpii_datatype_t* datatype = walk->datatype;
  const uint32_t rest = mpii_walk_piece(walk, &at);
  if (rest == 0) return;
  walk->within += bytes;
  if (bytes < rest) return;
  walk->within = 0;
  if (walk->dense && !by_elements(walk)) {
    walk->left = 0;
    return;
  }
  do {  // past empty blocks as well
    walk->number += 1;
    if (walk->number == (by_elements(walk) ? datatype->run_count : datatype->block_count)) {
      walk->number = 0;
      walk->left -= 1;
      walk->at += datatype->extent;
    }
  } while (walk->left != 0 && mpii_walk_piece(walk, &at) == 0);
}

static uint32_t least(uint32_t first, uint32_t second) {
  return first < second ? first : second;
}

void mpii_walk_gather(mpii_walk_t* walk, void* to, uint32_t bytes) {
  uint8_t* put = to;
  while (bytes != 0) {
    uint8_t* at;
    const uint32_t part = least(mpii_walk_piece(walk, &at), bytes);
    memcpy(put, at, part);
    mpii_walk_on(walk, part);
    put += part;
    bytes -= part;
  }
}

void mpii_walk_scatter(mpii_walk_t* walk, const void* from, uint32_t bytes) {
  const uint8_t* get = from;
  while (bytes != 0) {
    uint8_t* at;
    const uint32_t part = least(mpii_walk_piece(walk, &at), bytes);
    memcpy(at, get, part);
    mpii_walk_on(walk, part);
    get += part;
    bytes -= part;
  }
}

void mpii_walk_skip(mpii_walk_t* walk, uint32_t bytes) {
  while (bytes != 0) {
    uint8_t* at;
    const uint32_t part = least(mpii_walk_piece(walk, &at), bytes);
    mpii_walk_on(walk, part);
    bytes -= part;
  }
}

/// Whether a piece is the next one of a strip.
static bool continues(mpii_strip_t* strip, uintptr_t address, uint32_t bytes) {
  const ptrdiff_t step = (ptrdiff_t)(address - strip->address);
  if (bytes != strip->bytes || (strip->count > 1 && step != strip->stride * (ptrdiff_t)strip->count)) return false;
  if (strip->count == 1) strip->stride = step;
  return true;
}

uint32_t mpii_walk_describe(mpii_walk_t* walk, mpii_strip_t* list, const mpii_limit_t* limit, uint32_t* count) {
  uint32_t sum = 0, room = limit->room;
  *count = 0;
  for (;;) {
    uint8_t* at;
    const uint32_t rest = mpii_walk_piece(walk, &at);
    const uintptr_t address = (uintptr_t)at;
    uint32_t most = least(room, limit->bytes - sum);
    if (rest == 0) return sum;
    if (*count != 0 && rest <= most && continues(&list[*count - 1], address, rest)) {
      list[*count - 1].count += 1;
      room -= rest;
      sum += rest;
      mpii_walk_on(walk, rest);
      continue;
    }
    if (*count == limit->strips || room < limit->cost) return sum;
    most = least(room - limit->cost, limit->bytes - sum);
    const uint32_t part = rest <= most ? rest : most / limit->grain * limit->grain;
    if (part == 0) return sum;
    list[(*count)++] = (mpii_strip_t){address, part, 0, 1};
    room -= limit->cost + part;
    sum += part;
    mpii_walk_on(walk, part);
  }
}
