// SPDX-License-Identifier: Apache-2.0
// Packetizer: writes a packet from its pieces straight to the injection FIFO. Aligned whole quads go from the user's
// buffer to the device without a copy; anything else is realigned and padded with zeros on its way.
#include <string.h>

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/state.h"

/// A packet to the process's own rank is passed to its handler at once, in memory.
static void deliver(const bglml_head_t* head, const void* payload, uint32_t bytes) {
  bglml_quad_t image[TORUS_MAX_QUADS];
  for (unsigned i = 0; i < head->lead_quads; ++i) image[i] = head->lead[i];
  if (bytes != 0) memcpy(&image[head->lead_quads], payload, bytes);
  bglml_packet_t packet = {
      .source = bglml_word2_source(head->word2),
      .argument = head->argument,
      .quads = TORUS_CHUNK_QUADS * bglml_packet_chunks(bytes, head->lead_quads) - 1u,
      .memory = image[0].bytes,
  };
  bglml_dispatch(&packet, bglml_word2_handler(head->word2));
}

torus_header_t bglml_make_header(const bglml_connection_t* connection, const bglml_head_t* head, uint32_t chunks) {
  torus_header_t header = connection->headers[head->routing];
  bgl_torus_set_chunks(&header, chunks);
  bgl_torus_set_group(&header, head->group);
  bgl_torus_set_software(&header, head->word2, head->argument);
  return header;
}

static void inject(bglml_connection_t* connection, const bglml_head_t* head, const void* payload, uint32_t bytes) {
  if (connection->path == BGLML_PATH_SELF) {
    deliver(head, payload, bytes);
    return;
  }
  const uint32_t chunks = bglml_packet_chunks(bytes, head->lead_quads);
  const torus_header_t header = bglml_make_header(connection, head, chunks);
  if (connection->path == BGLML_PATH_VIRTUAL) {
    bglml_virtual_inject(&bglml_instance->virtual_fifos, &header, head, payload, bytes);
    return;
  }
  const unsigned group = connection->group, fifo = connection->fifo;
  if (head->lead_quads != 0) {
    bgl_torus_write(group, fifo, &header, 1);
    bgl_torus_write(group, fifo, head->lead, head->lead_quads);
    bgl_torus_write_bytes(group, fifo, payload, bytes, TORUS_CHUNK_QUADS * chunks - head->lead_quads - 1u);
  } else if (((uintptr_t)payload % BGLML_QUAD_BYTES | bytes % BGLML_QUAD_BYTES) == 0) {
    bgl_torus_inject_gather(group, fifo, &header, payload, bytes / BGLML_QUAD_BYTES, TORUS_CHUNK_QUADS * chunks);
  } else {
    bgl_torus_inject_bytes(group, fifo, &header, payload, bytes, TORUS_CHUNK_QUADS * chunks);
  }
}

void bglml_inject_packet(bglml_connection_t* connection, const bglml_head_t* head, const void* payload,
                         uint32_t bytes) {
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  if (connection->path == BGLML_PATH_SELF) {
    traffic->copied += bytes;
  } else {
    bglml_count_bytes(traffic, payload, bytes);
  }
  inject(connection, head, payload, bytes);
}

/// Writes `bytes` bytes that are not contiguous, then zeros up to `quads` quads. Whole quads of a block are written
/// directly; a quad with bytes of several blocks is assembled first.
static void gather(unsigned group, unsigned fifo, bglml_view_t* view, uint32_t offset, uint32_t bytes, unsigned quads) {
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  bglml_quad_t joint;
  uint32_t held = 0;  // bytes in `joint`
  while (bytes != 0) {
    bglml_run_t run = bglml_view_run(view, offset);
    if (run.bytes > bytes) run.bytes = bytes;
    offset += run.bytes;
    bytes -= run.bytes;
    if (held != 0) {
      const uint32_t missing = BGLML_QUAD_BYTES - held;
      const uint32_t more = run.bytes < missing ? run.bytes : missing;
      memcpy(&joint.bytes[held], run.at, more);
      traffic->copied += more;
      held += more;
      if (held < BGLML_QUAD_BYTES) continue;
      bgl_torus_write(group, fifo, &joint, 1);
      quads -= 1;
      run.at += more;
      run.bytes -= more;
    }
    const uint32_t whole = run.bytes / BGLML_QUAD_BYTES;
    held = run.bytes % BGLML_QUAD_BYTES;
    bgl_torus_write_bytes(group, fifo, run.at, whole * BGLML_QUAD_BYTES, whole);
    quads -= whole;
    bglml_count_bytes(traffic, run.at, whole * BGLML_QUAD_BYTES);
    memcpy(&joint, run.at + whole * BGLML_QUAD_BYTES, held);
    traffic->copied += held;
  }
  bgl_torus_write_bytes(group, fifo, &joint, held, quads);
}

/// The same into memory.
static void gather_to(uint8_t* to, bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  while (bytes != 0) {
    const bglml_run_t run = bglml_view_run(view, offset);
    const uint32_t some = run.bytes < bytes ? run.bytes : bytes;
    memcpy(to, run.at, some);
    to += some;
    offset += some;
    bytes -= some;
  }
}

/// The bytes are not contiguous.
static __attribute__((noinline)) void inject_strewn(bglml_connection_t* connection, const bglml_head_t* head,
                                                    bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  if (connection->path != BGLML_PATH_TORUS) {
    bglml_quad_t image[TORUS_MAX_QUADS];
    gather_to(image[0].bytes, view, offset, bytes);
    bglml_instance->counters.sent.copied += bytes;
    inject(connection, head, image, bytes);
    return;
  }
  const unsigned group = connection->group, fifo = connection->fifo;
  const uint32_t chunks = bglml_packet_chunks(bytes, head->lead_quads);
  const torus_header_t header = bglml_make_header(connection, head, chunks);
  bgl_torus_write(group, fifo, &header, 1);
  bgl_torus_write(group, fifo, head->lead, head->lead_quads);
  gather(group, fifo, view, offset, bytes, TORUS_CHUNK_QUADS * chunks - head->lead_quads - 1u);
}

void bglml_inject_view(bglml_connection_t* connection, const bglml_head_t* head, bglml_view_t* view, uint32_t offset,
                       uint32_t bytes) {
  const uint8_t* at = view->buffer + offset;
  if (view->layout != NULL && bytes != 0) {
    const bglml_run_t run = bglml_view_run(view, offset);
    if (run.bytes < bytes) {
      inject_strewn(connection, head, view, offset, bytes);
      return;
    }
    at = run.at;
  }
  bglml_inject_packet(connection, head, at, bytes);
}

void bglml_inject(bglml_connection_t* connection, uint8_t handler, uint32_t argument, const bglml_quad_t* lead,
                  const void* payload, uint32_t bytes) {
  const bglml_head_t head = {
      .word2 = bglml_word2(handler, bglml_instance->rank),
      .argument = argument,
      .lead = lead,
      .lead_quads = lead != NULL,
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  connection->unfenced = true;
  bglml_inject_packet(connection, &head, payload, bytes);
}
