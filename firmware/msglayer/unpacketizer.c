// SPDX-License-Identifier: Apache-2.0
// Unpacketizer: reads a packet's payload to where it belongs. To aligned destinations without a copy; to others
// realigned while it is read, so that the copy hides in the latency of the reads.
#include <string.h>

#include "drivers/bgl/scratchpad.h"
#include "drivers/bgl/torus.h"
#include "firmware/msglayer/protocol.h"

/// A packet that lies in memory, or in the scratchpad.
static __attribute__((noinline)) void read_memory(bglml_packet_t* packet, void* destination, uint32_t bytes,
                                                  uint32_t quads) {
  if (packet->memory != NULL) {
    if (bytes != 0) memcpy(destination, packet->memory, bytes);
    packet->memory += quads * BGLML_QUAD_BYTES;
  } else {
    bgl_scratchpad_read(packet->scratchpad, destination, bytes);
    packet->scratchpad += quads * BGLML_QUAD_BYTES;
  }
}

void bglml_packet_read(bglml_packet_t* packet, void* destination, uint32_t bytes) {
  const uint32_t quads = (bytes + BGLML_QUAD_BYTES - 1) / BGLML_QUAD_BYTES;
  if (quads > packet->quads) {
    bglml_fatal("%u bytes wanted from a packet of rank %u that has %u left", bytes, packet->source,
                packet->quads * BGLML_QUAD_BYTES);
  }
  packet->quads -= quads;
  if (packet->memory != NULL || packet->scratchpad != 0) {
    read_memory(packet, destination, bytes, quads);
    return;
  }
  if (((uintptr_t)destination % BGLML_QUAD_BYTES | bytes % BGLML_QUAD_BYTES) == 0) {
    bgl_torus_read_rest(packet->group, packet->fifo, destination, quads);
  } else {
    bgl_torus_read_rest_unaligned(packet->group, packet->fifo, destination, bytes, quads);
  }
}

void bglml_packet_read_all(bglml_packet_t* packet, void* destination) {
  bglml_packet_read(packet, destination, packet->quads * BGLML_QUAD_BYTES);
}
