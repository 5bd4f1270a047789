// SPDX-License-Identifier: Apache-2.0
/// The memory of an access: a walk through a buffer, and its description for another process. For the
/// library's own files.
#ifndef TOROID_FIRMWARE_MPI_WIN_LAYOUT_H
#define TOROID_FIRMWARE_MPI_WIN_LAYOUT_H

#include "firmware/mpi/datatype.h"

/// A place in a buffer of elements of a datatype.
typedef struct {
  const mpii_datatype_t* datatype;
  uint8_t* at;      ///< the element's address
  uint32_t left;    ///< elements from this one on
  uint32_t number;  ///< of its block
  uint32_t within;  ///< bytes of the block that are behind
  bool dense;       ///< all elements are one block
  bool whole;       ///< an element with a gap is one piece, as accumulations require
} mpii_walk_t;

void mpii_walk_begin(mpii_walk_t* walk, const void* buffer, uint32_t count, const mpii_datatype_t* datatype);

/// The bytes that are contiguous from here on, and where; 0 at the end.
uint32_t mpii_walk_piece(const mpii_walk_t* walk, uint8_t** at);
/// Advance by this number of bytes, no more than the piece has.
void mpii_walk_on(mpii_walk_t* walk, uint32_t bytes);

/// Copy the next bytes out of the buffer, or into it, and advance behind them.
void mpii_walk_gather(mpii_walk_t* walk, void* to, uint32_t bytes);
void mpii_walk_scatter(mpii_walk_t* walk, const void* from, uint32_t bytes);
void mpii_walk_skip(mpii_walk_t* walk, uint32_t bytes);

/// Pieces of one size at even distances, as messages describe them.
typedef struct {
  uintptr_t address;  ///< of the first
  uint32_t bytes;     ///< of each
  ptrdiff_t stride;   ///< from one to the next
  uint32_t count;
} mpii_strip_t;

static inline void mpii_strip_place(const mpii_strip_t* strip, mpit_place_t* place) {
  const size_t bytes = (size_t)strip->bytes * strip->count;
  *place = (mpit_place_t){(void*)strip->address, bytes, strip->count, strip->bytes, strip->stride, NULL};
}

/// The limits of a description.
typedef struct {
  uint32_t strips;
  uint32_t bytes;  ///< that are described
  uint32_t room;   ///< for these bytes, and `cost` for each strip
  uint32_t cost;
  uint32_t grain;  ///< pieces are cut at multiples of so many bytes only
} mpii_limit_t;

/// Describe the next bytes, as many as the limits permit, and advance behind them. Returns their number, and in *count
/// that of the strips.
uint32_t mpii_walk_describe(mpii_walk_t* walk, mpii_strip_t* list, const mpii_limit_t* limit, uint32_t* count);

#endif
