// SPDX-License-Identifier: Apache-2.0
#include "firmware/msglayer/rendezvous_data.h"

#include "drivers/bgl/torus.h"

uint32_t bglml_data_take(bglml_data_slot_t* slot, uint32_t address, unsigned quads, unsigned group, unsigned fifo) {
  const bglml_data_place_t place = bglml_data_find(slot, address);
  if (place.bytes == 0 || place.bytes > quads * BGLML_QUAD_BYTES) return 0;
  uint8_t* to = slot->buffer + place.offset;
  if (((uintptr_t)to % BGLML_QUAD_BYTES | place.bytes % BGLML_QUAD_BYTES) == 0) {
    bgl_torus_read_rest(group, fifo, to, place.bytes / BGLML_QUAD_BYTES);
    const unsigned padding = quads - place.bytes / BGLML_QUAD_BYTES;
    if (padding != 0) bgl_torus_discard(group, fifo, padding);
  } else {
    bgl_torus_read_rest_unaligned(group, fifo, to, place.bytes, quads);
  }
  slot->remaining -= place.bytes;
  return place.bytes;
}
