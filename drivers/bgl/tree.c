// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/tree.h"

#include "drivers/bgl/quad_runs.h"

// Stride of a FIFO's window: each access reads or writes the next quad.
enum { SAME_ADDRESS = 0 };

// A packet is sent as soon as both header and payload are complete; the header is written last, so its store sends the
// packet.
static void write_header(unsigned vc, uint32_t header) {
  bgl_access_write_word(bgl_tree_register(vc, TREE_HEADER_INJECTION_OFFSET), header);
}

static uint32_t read_header(unsigned vc) {
  return bgl_access_read_word(bgl_tree_register(vc, TREE_HEADER_RECEPTION_OFFSET));
}

void bgl_tree_inject(unsigned vc, uint32_t header, const void* payload) {
  bgl_run_write_quads(bgl_tree_register(vc, TREE_PAYLOAD_INJECTION_OFFSET), SAME_ADDRESS, (const uint8_t*)payload,
                      TREE_PAYLOAD_QUADS);
  write_header(vc, header);
}

void bgl_tree_inject_bytes(unsigned vc, uint32_t header, const void* payload, unsigned bytes) {
  bgl_run_write_bytes(bgl_tree_register(vc, TREE_PAYLOAD_INJECTION_OFFSET), SAME_ADDRESS, (const uint8_t*)payload,
                      bytes, TREE_PAYLOAD_QUADS);
  write_header(vc, header);
}

uint32_t bgl_tree_receive(unsigned vc, void* payload) {
  const uint32_t header = read_header(vc);
  bgl_run_read_quads(bgl_tree_register(vc, TREE_PAYLOAD_RECEPTION_OFFSET), SAME_ADDRESS, (uint8_t*)payload,
                     TREE_PAYLOAD_QUADS);
  return header;
}

uint32_t bgl_tree_receive_bytes(unsigned vc, void* payload, unsigned bytes) {
  const uintptr_t window = bgl_tree_register(vc, TREE_PAYLOAD_RECEPTION_OFFSET);
  const uint32_t header = read_header(vc);
  const unsigned taken = bgl_run_read_bytes(window, SAME_ADDRESS, (uint8_t*)payload, bytes);
  bgl_run_discard(window, SAME_ADDRESS, TREE_PAYLOAD_QUADS - taken);
  return header;
}
