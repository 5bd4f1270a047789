// SPDX-License-Identifier: Apache-2.0
// Unpacketizer: reads a packet's payload to its destination: to aligned destinations without a copy; to others
// realigned while it is read, so that the latency of the reads hides the cost.
#include <string.h>

#include "drivers/bgl/scratchpad.h"
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/state.h"

static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

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

/// Uses quads that were read ahead. Returns the number of requested bytes that they contained.
static __attribute__((noinline)) uint32_t take_held(bglml_packet_t* packet, void* destination, uint32_t bytes) {
  const uint32_t held = packet->held_quads * BGLML_QUAD_BYTES;
  const uint32_t some = smaller(bytes, held);
  const uint32_t quads = (some + BGLML_QUAD_BYTES - 1) / BGLML_QUAD_BYTES;
  memcpy(destination, packet->held, some);
  packet->held += quads;
  packet->held_quads -= (uint8_t)quads;
  packet->quads -= quads;
  return some;
}

static inline void take(bglml_packet_t* packet, void* destination, uint32_t bytes) {
  if (packet->held_quads != 0) {
    const uint32_t some = take_held(packet, destination, bytes);
    destination = (uint8_t*)destination + some;
    bytes -= some;
  }
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

void bglml_packet_read(bglml_packet_t* packet, void* destination, uint32_t bytes) {
  take(packet, destination, bytes);
}

void bglml_packet_read_all(bglml_packet_t* packet, void* destination) {
  bglml_packet_read(packet, destination, packet->quads * BGLML_QUAD_BYTES);
}

/// Read to the user's buffer, and count: what lies in memory, or was read ahead, is copied.
static inline void take_counted(bglml_packet_t* packet, uint8_t* to, uint32_t bytes) {
  bglml_traffic_t* traffic = &bglml_instance->counters.received;
  const uint32_t in_memory = packet->memory != NULL ? bytes : packet->held_quads * BGLML_QUAD_BYTES;
  const uint32_t copied = smaller(bytes, in_memory);
  traffic->copied += copied;
  bglml_count_bytes(traffic, to, bytes - copied);
  take(packet, to, bytes);
}

enum { LONG_BLOCK = 64 };  // bytes: from here on a block is read to its place rather than copied there

/// Block by block: whole quads are read to their destination, a quad with bytes of several blocks is split.
static void scatter(bglml_packet_t* packet, bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  bglml_traffic_t* traffic = &bglml_instance->counters.received;
  bglml_quad_t joint;
  uint32_t held = 0;  // bytes at the end of `joint` that have no place yet
  while (bytes != 0) {
    bglml_run_t run = bglml_view_run(view, offset);
    if (run.bytes > bytes) run.bytes = bytes;
    offset += run.bytes;
    bytes -= run.bytes;
    if (held != 0) {
      const uint32_t more = smaller(run.bytes, held);
      traffic->copied += more;
      memcpy(run.at, &joint.bytes[BGLML_QUAD_BYTES - held], more);
      held -= more;
      run.at += more;
      run.bytes -= more;
    }
    const uint32_t rest = run.bytes % BGLML_QUAD_BYTES;
    const uint32_t whole = run.bytes - rest;
    if (whole != 0) {
      take_counted(packet, run.at, whole);
    }
    if (rest == 0) continue;
    bglml_packet_read(packet, &joint, sizeof joint);
    memcpy(run.at + whole, &joint, rest);
    traffic->copied += rest;
    held = BGLML_QUAD_BYTES - rest;
  }
}

/// Short blocks: a separate read for each would wait for the FIFO each time. Therefore all data is read at once, then
/// copied.
static void scatter_copy(bglml_packet_t* packet, bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  bglml_quad_t image[BGLML_ONE_PACKET_MAX / BGLML_QUAD_BYTES];
  bglml_packet_read(packet, image, (bytes + BGLML_QUAD_BYTES - 1) / BGLML_QUAD_BYTES * BGLML_QUAD_BYTES);
  bglml_instance->counters.received.copied += bytes;
  const uint8_t* from = image[0].bytes;
  while (bytes != 0) {
    const bglml_run_t run = bglml_view_run(view, offset);
    const uint32_t some = smaller(run.bytes, bytes);
    memcpy(run.at, from, some);
    from += some;
    offset += some;
    bytes -= some;
  }
}

void bglml_packet_scatter(bglml_packet_t* packet, bglml_view_t* view, uint32_t offset, uint32_t bytes) {
  uint8_t* at = view->buffer + offset;
  if (view->layout != NULL && bytes != 0) {
    const bglml_run_t run = bglml_view_run(view, offset);
    if (run.bytes < bytes) {
      (view->layout->block < LONG_BLOCK ? scatter_copy : scatter)(packet, view, offset, bytes);
      return;
    }
    at = run.at;
  }
  take_counted(packet, at, bytes);
}
