/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/programs/bgq/pami_contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const layout_t in_one_piece = {UINT64_MAX, UINT64_MAX};

uint64_t contents_mix(uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27, x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

uint8_t contents_byte(uint64_t from, uint64_t i) {
  return (uint8_t)((from + i) * 0x9E3779B97F4A7C15ull >> 56);
}

layout_t layout_draw(uint64_t number, uint64_t bytes) {
  const uint64_t drawn = contents_mix(number);
  if (drawn % 4 == 0 || bytes == 0) return in_one_piece;
  uint64_t block = 1 + (drawn >> 8) % ((uint64_t)1 << (drawn >> 2) % 16);
  if (block > bytes) block = bytes;
  return (layout_t){.block = block, .stride = block + (drawn >> 32) % (block + 1)};
}

uint64_t layout_extent(const layout_t* layout, uint64_t bytes) {
  if (bytes == 0) return 0;
  return (bytes - 1) / layout->block * layout->stride + (bytes - 1) % layout->block + 1;
}

pami_type_t layout_type(const layout_t* layout) {
  if (layout->block == in_one_piece.block) return PAMI_TYPE_BYTE;
  pami_type_t type;
  if (PAMI_Type_create(&type) != PAMI_SUCCESS ||
      PAMI_Type_add_simple(type, layout->block, 0, 1, layout->stride) != PAMI_SUCCESS ||
      PAMI_Type_complete(type, 1) != PAMI_SUCCESS) {
    printf("a type is refused\n");
    exit(1);
  }
  return type;
}

void layout_destroy(pami_type_t type) {
  if (type != NULL && type != PAMI_TYPE_BYTE) PAMI_Type_destroy(&type);
}

/* From one byte of the data to the next. */
static uint64_t step(const layout_t* layout, uint64_t* into) {
  if (++*into < layout->block) return 1;
  *into = 0;
  return layout->stride - layout->block + 1;
}

static uint64_t touched(const uint8_t* at, uint64_t bytes) {
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < bytes; ++i) wrong += at[i] != CONTENTS_UNTOUCHED;
  return wrong;
}

void contents_fill(uint8_t* at, const layout_t* layout, uint64_t from, uint64_t bytes) {
  uint64_t into = 0;
  for (uint64_t i = 0; i < bytes; ++i) {
    *at = contents_byte(from, i);
    at += step(layout, &into);
  }
}

uint64_t contents_wrong(const uint8_t* at, const layout_t* layout, uint64_t from, const layout_t* source,
                        uint64_t bytes) {
  uint64_t wrong =
      touched(at - CONTENTS_GUARD, CONTENTS_GUARD) + touched(at + layout_extent(layout, bytes), CONTENTS_GUARD);
  uint64_t into = 0, into_source = 0, position = 0;
  for (uint64_t i = 0; i < bytes; ++i) {
    wrong += *at != contents_byte(from, position);
    position += step(source, &into_source);
    const uint64_t forward = step(layout, &into);
    if (forward > 1 && i + 1 < bytes) wrong += touched(at + 1, forward - 1);
    at += forward;
  }
  return wrong;
}

void contents_clear(uint8_t* at, const layout_t* layout, uint64_t bytes) {
  memset(at - CONTENTS_GUARD, CONTENTS_UNTOUCHED, layout_extent(layout, bytes) + 2 * CONTENTS_GUARD);
}
