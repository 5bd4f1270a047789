// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/torus.h"

#include "drivers/bgl/quad_runs.h"

// Stride of a FIFO's window: each access reads or writes the next quad.
enum { SAME_ADDRESS = 0, FULL_QUADS = TORUS_MAX_QUADS - 1 };

void bgl_torus_inject(unsigned group, unsigned fifo, const void* packet, unsigned chunks) {
  bgl_run_write_quads(bgl_torus_injection_window(group, fifo), SAME_ADDRESS, (const uint8_t*)packet,
                      TORUS_CHUNK_QUADS * chunks);
}

void bgl_torus_write(unsigned group, unsigned fifo, const void* quads, unsigned count) {
  bgl_run_write_quads(bgl_torus_injection_window(group, fifo), SAME_ADDRESS, (const uint8_t*)quads, count);
}

void bgl_torus_write_bytes(unsigned group, unsigned fifo, const void* bytes, unsigned count, unsigned total_quads) {
  bgl_run_write_bytes(bgl_torus_injection_window(group, fifo), SAME_ADDRESS, (const uint8_t*)bytes, count, total_quads);
}

void bgl_torus_inject_gather(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload,
                             unsigned payload_quads, unsigned total_quads) {
  const uintptr_t window = bgl_torus_injection_window(group, fifo);
  bgl_access_write(window, bgl_quad_load(header));
  bgl_run_write_quads(window, SAME_ADDRESS, (const uint8_t*)payload, payload_quads);
  bgl_run_write_zeroes(window, SAME_ADDRESS, total_quads - payload_quads - 1u);
}

void bgl_torus_inject_full(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload) {
  const uintptr_t window = bgl_torus_injection_window(group, fifo);
  bgl_access_write(window, bgl_quad_load(header));
  bgl_run_write_quads(window, SAME_ADDRESS, (const uint8_t*)payload, FULL_QUADS);
}

void bgl_torus_inject_bytes(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload,
                            unsigned payload_bytes, unsigned total_quads) {
  bgl_run_write_packet(bgl_torus_injection_window(group, fifo), SAME_ADDRESS, header, (const uint8_t*)payload,
                       payload_bytes, total_quads);
}

void bgl_torus_read_rest(unsigned group, unsigned fifo, void* destination, unsigned quads) {
  bgl_run_read_quads(bgl_torus_reception_window(group, fifo), SAME_ADDRESS, (uint8_t*)destination, quads);
}

void bgl_torus_discard(unsigned group, unsigned fifo, unsigned quads) {
  bgl_run_discard(bgl_torus_reception_window(group, fifo), SAME_ADDRESS, quads);
}

void bgl_torus_read_rest_unaligned(unsigned group, unsigned fifo, void* destination, unsigned bytes, unsigned quads) {
  const uintptr_t window = bgl_torus_reception_window(group, fifo);
  const unsigned taken = bgl_run_read_bytes(window, SAME_ADDRESS, (uint8_t*)destination, bytes);
  bgl_run_discard(window, SAME_ADDRESS, quads - taken);
}
