// SPDX-License-Identifier: Apache-2.0
/// Memory with gaps, for transports of machines that send and receive memory without any: its bytes are copied.
///
/// Functions are inline: files of a transport include this.
#ifndef TOROID_FIRMWARE_MPI_GAPS_H
#define TOROID_FIRMWARE_MPI_GAPS_H

#include <string.h>

#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

/// Copy between a place with gaps and `count` bytes without any.
static inline void mpii_copy_pieces(const mpit_place_t* place, uint8_t* bytes, size_t count, bool gather) {
  uint8_t* at = place->address;
  for (size_t i = 0; i < place->count && count != 0; ++i) {
    const mpit_block_t* block = place->blocks != NULL ? &place->blocks[i] : NULL;
    uint8_t* piece = at + (block != NULL ? block->offset : (ptrdiff_t)i * place->stride);
    size_t length = block != NULL ? block->bytes : place->piece;
    if (length > count) length = count;
    memcpy(gather ? bytes : piece, gather ? piece : bytes, length);
    bytes += length;
    count -= length;
  }
}

/// Memory without gaps in the place of one with gaps, with its bytes, or with room for `bytes`; NULL if the place has
/// no gaps. The caller frees it.
static inline uint8_t* mpii_gathered(const mpit_place_t* place) {
  if (place->count == 1) return NULL;
  uint8_t* bytes = mpii_allocate_aligned(place->bytes);
  mpii_copy_pieces(place, bytes, place->bytes, true);
  return bytes;
}

static inline uint8_t* mpii_room(const mpit_place_t* place, size_t bytes) {
  return place->count == 1 ? NULL : mpii_allocate_aligned(bytes);
}

/// Copy bytes to where they belong.
static inline void mpii_scatter(const mpit_place_t* place, const uint8_t* bytes, size_t count) {
  if (place->count != 1) {
    mpii_copy_pieces(place, (uint8_t*)(uintptr_t)bytes, count, false);
  } else if (count != 0) {
    memcpy(place->address, bytes, count);
  }
}

#endif
