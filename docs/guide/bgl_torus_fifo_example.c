// SPDX-License-Identifier: Apache-2.0
//
// Every node sends a greeting to its X+ neighbour and prints the one it gets: the packet layer alone, without a message
// layer. docs/guide/bgl_torus_fifo.md explains it; the parts it shows stand between the bracketed marks.
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/torus.h"

enum { GROUP = 0 };

// [header]
// Header of a packet from this node to its X+ neighbour, deterministic, one chunk.
static void make_header(const struct toroid_personality* me, torus_header_t* header) {
  bgl_torus_shape_t shape;
  uint8_t from[3], to[3];
  for (unsigned d = 0; d < 3; ++d) {
    shape.size[d] = (uint8_t)me->shape[d];
    shape.torus[d] = (uint8_t)me->torus[d];
    from[d] = to[d] = (uint8_t)me->coordinates[d];
  }
  to[0] = (uint8_t)((from[0] + 1u) % shape.size[0]);
  unsigned hints = bgl_torus_minimal_hints(&shape, from, to);
  if (hints == 0) hints = TORUS_HINT_X_PLUS;  // its own neighbour: around the ring
  bgl_torus_deterministic_header(header, to, hints, GROUP, 1);
}
// [end]

// [send]
// Waits for room, then writes the header and the text, which may lie at any address. At most 16 bytes go into one
// chunk.
static void send(torus_header_t* header, const char* text) {
  const unsigned bytes = (unsigned)strlen(text) + 1;
  const unsigned chunks = bgl_torus_header_chunks(header);
  bgl_torus_status_t status;
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, chunks));
  bgl_torus_set_software(header, bytes, 0);
  bgl_torus_inject_bytes(GROUP, BGL_TORUS_I0, header, text, bytes, TORUS_CHUNK_QUADS * chunks);
}
// [end]

// [receive]
// Polls the six normal reception FIFOs. The header says how long the text is; the rest goes straight to `text`.
static void receive(char* text) {
  for (;;) {
    bgl_torus_status_t status;
    bgl_torus_read_status(GROUP, &status);
    for (unsigned fifo = BGL_TORUS_R0; fifo <= BGL_TORUS_R5; ++fifo) {
      if (bgl_torus_reception_chunks(&status, fifo) == 0) continue;
      torus_header_t header;
      bgl_torus_peek(GROUP, fifo, &header);
      bgl_torus_read_rest_unaligned(GROUP, fifo, text, bgl_torus_software(&header, 2), bgl_torus_rest_quads(&header));
      return;
    }
  }
}
// [end]

int main(void) {
  struct toroid_personality me;
  if (bgl_get_personality(&me) != 0) return 1;

  torus_header_t header = {{0}};
  char text[TORUS_PAYLOAD_BYTES];
  make_header(&me, &header);
  snprintf(text, 16, "hello from %u", me.rank);
  send(&header, text);
  receive(text);

  // [dcr]
  // The largest coordinate of the machine in X, from the torus's own registers.
  uint32_t nodes;
  if (bgl_torus_dcr_read(TORUS_DCR_NODES_OFFSET, &nodes) != 0) return 1;
  const unsigned last_x = (nodes & TORUS_DCR_NODES_X_MASK) >> TORUS_DCR_NODES_X_SHIFT;
  // [end]
  printf("rank %u of %u, X up to %u: %s\n", me.rank, me.ranks, last_x, text);
  return 0;
}
