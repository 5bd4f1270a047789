// SPDX-License-Identifier: Apache-2.0
// Memory with gaps: DCMF sends and receives memory without any, so it is copied.
#include <string.h>

#include "firmware/mpi/transport/bgp/bgp.h"

/// Copy between a place and `count` bytes without gaps.
static void copy(const mpit_place_t* place, uint8_t* bytes, size_t count, bool gather) {
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

uint8_t* mpit_bgp_gathered(const mpit_place_t* place) {
  if (place->count == 1) return NULL;
  uint8_t* bytes = mpii_allocate_aligned(place->bytes);
  copy(place, bytes, place->bytes, true);
  return bytes;
}

uint8_t* mpit_bgp_room(const mpit_place_t* place, size_t bytes) {
  return place->count == 1 ? NULL : mpii_allocate_aligned(bytes);
}

void mpit_bgp_scatter(const mpit_place_t* place, const uint8_t* bytes, size_t count) {
  if (place->count != 1) {
    copy(place, (uint8_t*)(uintptr_t)bytes, count, false);
  } else if (count != 0) {
    memcpy(place->address, bytes, count);
  }
}
