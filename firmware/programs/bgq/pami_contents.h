/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of memory for pami_stress: bytes that follow from a number, laid out in one piece or in blocks. */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_CONTENTS_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_PAMI_CONTENTS_H

#include <pami.h>
#include <stdint.h>

/* Bytes around memory that is written, and between its blocks, that must stay. */
enum { CONTENTS_GUARD = 64, CONTENTS_UNTOUCHED = 0xEE };

/* Blocks of `block` bytes at multiples of `stride`; the last one may be shorter. */
typedef struct {
  uint64_t block, stride;
} layout_t;

extern const layout_t in_one_piece;

uint64_t contents_mix(uint64_t x);
uint8_t contents_byte(uint64_t from, uint64_t i);
/* A layout that follows from a number, in at most twice as many bytes as there are data. */
layout_t layout_draw(uint64_t number, uint64_t bytes);
/* Bytes from the first one of the data to the last one. */
uint64_t layout_extent(const layout_t* layout, uint64_t bytes);
/* A type of one block, which repeats. To be destroyed with layout_destroy(). */
pami_type_t layout_type(const layout_t* layout);
void layout_destroy(pami_type_t type);

/* `bytes` of data: the byte at position p of the source is contents_byte(from, p). */
void contents_fill(uint8_t* at, const layout_t* layout, uint64_t from, uint64_t bytes);
/* How many bytes are not those of the source, which has a layout of its own, or are not untouched between the blocks
 * and CONTENTS_GUARD bytes around. */
uint64_t contents_wrong(const uint8_t* at, const layout_t* layout, uint64_t from, const layout_t* source,
                        uint64_t bytes);
/* Makes memory and what is around it untouched. */
void contents_clear(uint8_t* at, const layout_t* layout, uint64_t bytes);

#endif
