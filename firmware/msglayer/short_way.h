// SPDX-License-Identifier: Apache-2.0
/// The short way of most packets of a long message: full, contiguous, aligned to 16 bytes, over the torus. What a node
/// can keep up with is decided here, by the instructions of each packet; so these are inline. Everything else goes by
/// bglml_inject_view() and bglml_packet_scatter(), which do the same for any packet.
#ifndef TOROID_FIRMWARE_MSGLAYER_SHORT_WAY_H
#define TOROID_FIRMWARE_MSGLAYER_SHORT_WAY_H

#include "drivers/bgl/torus.h"
#include "firmware/msglayer/state.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline bool bglml_is_aligned(const void* memory) {
  return (uintptr_t)memory % BGLML_QUAD_BYTES == 0;
}

/// A header for the peer of a connection. What the connection has is of one chunk and for group 0. Word by word: a copy
/// would go through memory once more.
static inline bgl_torus_header_t bglml_header(const bglml_connection_t* connection, unsigned routing, unsigned group,
                                              uint32_t word2, uint32_t argument, uint32_t chunks) {
  const bgl_torus_header_t* prepared = &connection->headers[routing];
  const uint32_t size_and_group = (chunks - 1) << BGL_TORUS_HEADER0_CHUNKS_SHIFT | (uint32_t)group
                                                                                       << BGL_TORUS_HEADER0_PID_SHIFT;
  bgl_torus_header_t header;
  header.word[0] = prepared->word[0] | bgl_torus_be32(size_and_group);
  header.word[1] = prepared->word[1];
  bgl_torus_set_software(&header, word2, argument);
  return header;
}

/// The same for any packet, by bglml_inject_view().
void bglml_inject_any(bglml_connection_t* connection, bglml_routing_t routing, unsigned group, uint32_t word2,
                      uint32_t argument, bglml_view_t* view, uint32_t offset, uint32_t bytes);

/// Send bytes `offset`... of a view in a packet without lead quads.
static inline void bglml_inject_short(bglml_connection_t* connection, bglml_routing_t routing, unsigned group,
                                      uint32_t word2, uint32_t argument, bglml_view_t* view, uint32_t offset,
                                      uint32_t bytes) {
  const uint8_t* from = view->buffer + offset;
  // One branch for all: each costs as much as several of these.
  const uintptr_t odd =
      (bytes ^ BGLML_ONE_PACKET_MAX) | (uintptr_t)view->layout | (uintptr_t)from % BGLML_QUAD_BYTES | connection->path;
  if (__builtin_expect(odd != BGLML_PATH_TORUS, 0)) {
    bglml_inject_any(connection, routing, group, word2, argument, view, offset, bytes);
    return;
  }
  const bgl_torus_header_t header = bglml_header(connection, routing, group, word2, argument, BGL_TORUS_MAX_CHUNKS);
  bglml_instance->counters.sent.direct += BGLML_ONE_PACKET_MAX;
  bgl_torus_inject_full(connection->window, &header, from);
}

/// Read the payload of a packet to bytes `offset`... of a view.
static inline void bglml_packet_take(bglml_packet_t* packet, bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  uint8_t* to = view->buffer + offset;
  const uintptr_t odd = (bytes ^ BGLML_ONE_PACKET_MAX) | (uintptr_t)view->layout | (uintptr_t)to % BGLML_QUAD_BYTES |
                        packet->place | (packet->quads ^ BGLML_ONE_PACKET_MAX / BGLML_QUAD_BYTES);
  if (__builtin_expect(odd != BGLML_PLACE_FIFO, 0)) {
    bglml_packet_scatter(packet, view, offset, bytes);
    return;
  }
  bglml_instance->counters.received.direct += BGLML_ONE_PACKET_MAX;
  packet->quads = 0;
  bgl_torus_header_t* next = packet->next;
  if (next == NULL) {
    bgl_torus_read_payload(packet->fifo->window, to);
    return;
  }
  packet->next = NULL;
  bgl_torus_read_payload_and_peek(packet->fifo->window, to, next);
}

#ifdef __cplusplus
}
#endif

#endif
