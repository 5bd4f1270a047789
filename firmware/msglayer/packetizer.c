// SPDX-License-Identifier: Apache-2.0
// Packetizer: writes a packet from its pieces straight to the injection FIFO. Aligned whole quads go from the user's
// buffer to the device without a copy; anything else is realigned and padded with zeros on its way.
#include <string.h>

#include "drivers/bgl/torus.h"
#include "firmware/msglayer/state.h"

static inline bool aligned(const void* payload, uint32_t bytes, uint32_t unit) {
  return ((uintptr_t)payload % BGLML_QUAD_BYTES | bytes % unit) == 0;
}

/// A packet to the own rank is handed to its handler at once, in the memory of this turn.
static void deliver(uint32_t handler, uint32_t argument, const bglml_quad_t* lead, const void* payload,
                    uint32_t bytes) {
  bglml_quad_t image[BGL_TORUS_MAX_QUADS];
  const uint32_t leads = lead != NULL;
  if (leads) image[0] = *lead;
  if (bytes != 0) memcpy(&image[leads], payload, bytes);
  bglml_packet_t packet = {
      .source = bglml_instance->rank,
      .argument = argument,
      .quads = BGL_TORUS_CHUNK_QUADS * bglml_packet_chunks(bytes, leads) - 1u,
      .memory = image[0].bytes,
  };
  bglml_dispatch(&packet, handler);
}

/// Header and leading quad are one chunk: what follows them is whole chunks too, or is put together on the stack.
static void inject_led(const bglml_connection_t* connection, const bgl_torus_header_t* header, const bglml_quad_t* lead,
                       const void* payload, uint32_t bytes, uint32_t chunks) {
  bglml_quad_t image[BGL_TORUS_MAX_QUADS];
  const bool direct = bytes == 0 || aligned(payload, bytes, BGL_TORUS_CHUNK_BYTES);
  if (!direct) {
    memset(&image[BGL_TORUS_CHUNK_QUADS * (chunks - 1)], 0,
           BGL_TORUS_CHUNK_BYTES);  // the padding; before what it abuts
    memcpy(&image[BGL_TORUS_CHUNK_QUADS], payload, bytes);
  }
  memcpy(&image[0], header, sizeof image[0]);
  image[1] = *lead;
  bgl_torus_inject(connection->group, connection->fifo, image, direct ? 1 : chunks);
  if (direct && chunks > 1) bgl_torus_inject(connection->group, connection->fifo, payload, chunks - 1);
}

void bglml_inject(bglml_connection_t* connection, uint8_t handler, uint32_t argument, const bglml_quad_t* lead,
                  const void* payload, uint32_t bytes) {
  if (connection->self) {
    deliver(handler, argument, lead, payload, bytes);
    return;
  }
  const uint32_t chunks = bglml_packet_chunks(bytes, lead != NULL);
  bgl_torus_header_t header = connection->header;
  bgl_torus_set_chunks(&header, chunks);
  bgl_torus_set_software(&header, bglml_pack_word2(handler, bglml_instance->rank), argument);
  if (lead != NULL) {
    inject_led(connection, &header, lead, payload, bytes, chunks);
  } else if (aligned(payload, bytes, BGLML_QUAD_BYTES)) {
    bgl_torus_inject_gather(connection->group, connection->fifo, &header, payload, bytes / BGLML_QUAD_BYTES,
                            BGL_TORUS_CHUNK_QUADS * chunks);
  } else {
    bgl_torus_inject_bytes(connection->group, connection->fifo, &header, payload, bytes,
                           BGL_TORUS_CHUNK_QUADS * chunks);
  }
}
