// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgl/arrangement.h"

#include <string.h>

#include "firmware/programs/contents.h"

enum { GUARD_BYTE = 0xA5, LONGEST_VECTOR_BLOCK = 2000, MOST_VECTOR_BLOCKS = 4096, DIVISORS_TRIED = 64, GAP = 40 };

uint32_t arrangement_area(uint32_t length) {
  const uint32_t bytes =
      2 * length + ARRANGEMENT_BLOCKS * GAP + 2 * ARRANGEMENT_GUARD + ARRANGEMENT_ALIGNMENTS + MOST_VECTOR_BLOCKS;
  return (bytes + 31u) / 32u * 32u;
}

static void make_contiguous(arrangement_t* arrangement) {
  arrangement->contiguous = true;
  arrangement->layout = bglml_layout_contiguous(arrangement->length);
  arrangement->extent = arrangement->length;
}

/// Returns whether a length of block was found that divides the message.
static bool make_vector(arrangement_t* arrangement, uint32_t random) {
  const uint32_t length = arrangement->length;
  const uint32_t least = length / MOST_VECTOR_BLOCKS + 1;
  uint32_t block = least + random % (length < LONGEST_VECTOR_BLOCK ? length : LONGEST_VECTOR_BLOCK);
  for (uint32_t tried = 0; tried < DIVISORS_TRIED && block >= least; ++tried, --block) {
    if (block > length || length % block != 0) continue;
    const uint32_t count = length / block;
    const uint32_t stride = block + program_hash(random, 1) % (block / 2 + 2);
    arrangement->layout = bglml_layout_vector(count, block, (int32_t)stride);
    arrangement->extent = (count - 1) * stride + block;
    return true;
  }
  return false;
}

/// Blocks of any size, empty ones among them, that do not lie in the order of the message.
static void make_indexed(arrangement_t* arrangement, uint32_t random) {
  const uint32_t count = 1 + random % ARRANGEMENT_BLOCKS;
  uint32_t left = arrangement->length;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t some = program_hash(random, i) % (2 * (left / (count - i)) + 2);
    arrangement->blocks[i].bytes = i + 1 == count || some > left ? left : some;
    left -= arrangement->blocks[i].bytes;
  }
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; ++i) {  // every third block has changed places with the one before
    const uint32_t k = i % 3 == 1 && i + 1 < count ? i + 1 : i % 3 == 2 ? i - 1 : i;
    at += program_hash(random, ~i) % GAP;
    arrangement->blocks[k].offset = (int32_t)at;
    at += arrangement->blocks[k].bytes;
  }
  arrangement->layout = bglml_layout_indexed(arrangement->blocks, count);
  arrangement->extent = at;
}

void arrangement_make(arrangement_t* arrangement, uint32_t key, uint32_t length, bool layouts) {
  const uint32_t random = program_hash(key, length);
  arrangement->length = length;
  arrangement->contiguous = false;
  arrangement->alignment = key % 4 == 0 ? 0 : random % ARRANGEMENT_ALIGNMENTS;
  const uint32_t kind = layouts && length != 0 ? random >> 8 & 3u : 0;
  if (kind == 0) {
    make_contiguous(arrangement);
  } else if (kind == 1 || !make_vector(arrangement, program_hash(random, 2))) {
    make_indexed(arrangement, program_hash(random, 3));
  }
}

uint8_t* arrangement_buffer(const arrangement_t* arrangement, uint8_t* area) {
  return area + ARRANGEMENT_GUARD + arrangement->alignment;
}

/// The next block of the message, and how far in the message it begins.
typedef struct {
  uint32_t number, bytes;
  uint8_t* at;
} block_t;

static block_t block_of(const arrangement_t* arrangement, uint8_t* buffer, uint32_t number) {
  const bglml_layout_t* layout = &arrangement->layout;
  if (layout->blocks != NULL) {
    return (block_t){number, layout->blocks[number].bytes, buffer + layout->blocks[number].offset};
  }
  return (block_t){number, layout->block, buffer + (ptrdiff_t)number * layout->stride};
}

void arrangement_fill(const arrangement_t* arrangement, uint8_t* area, uint32_t key, uint8_t* scratch) {
  uint8_t* buffer = arrangement_buffer(arrangement, area);
  if (arrangement->contiguous) {
    program_fill(buffer, arrangement->length, key);
    return;
  }
  program_fill(scratch, arrangement->length, key);
  for (uint32_t i = 0; i < arrangement->layout.count; ++i) {
    const block_t block = block_of(arrangement, buffer, i);
    memcpy(block.at, scratch, block.bytes);
    scratch += block.bytes;
  }
}

void arrangement_guard(const arrangement_t* arrangement, uint8_t* area) {
  uint8_t* buffer = arrangement_buffer(arrangement, area);
  if (arrangement->contiguous) {
    memset(area, GUARD_BYTE, (size_t)(buffer - area));
    memset(buffer + arrangement->extent, GUARD_BYTE, ARRANGEMENT_GUARD);
  } else {
    memset(area, GUARD_BYTE, (size_t)(buffer - area) + arrangement->extent + ARRANGEMENT_GUARD);
  }
}

uint32_t arrangement_check(const arrangement_t* arrangement, uint8_t* area, uint32_t key, uint8_t* scratch) {
  uint8_t* buffer = arrangement_buffer(arrangement, area);
  if (arrangement->contiguous) return program_check(buffer, arrangement->length, key);
  uint8_t* to = scratch;
  for (uint32_t i = 0; i < arrangement->layout.count; ++i) {
    const block_t block = block_of(arrangement, buffer, i);
    memcpy(to, block.at, block.bytes);
    memset(block.at, GUARD_BYTE, block.bytes);
    to += block.bytes;
  }
  return program_check(scratch, arrangement->length, key);
}

static bool is_guard(const uint8_t* bytes, size_t count) {
  return count == 0 || (bytes[0] == GUARD_BYTE && memcmp(bytes, bytes + 1, count - 1) == 0);
}

bool arrangement_guarded(const arrangement_t* arrangement, const uint8_t* area) {
  const uint8_t* buffer = area + ARRANGEMENT_GUARD + arrangement->alignment;
  const uint8_t* end = buffer + arrangement->extent;
  if (!arrangement->contiguous) return is_guard(area, (size_t)(end - area) + ARRANGEMENT_GUARD);
  return is_guard(area, (size_t)(buffer - area)) && is_guard(end, ARRANGEMENT_GUARD);
}
