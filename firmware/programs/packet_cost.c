// SPDX-License-Identifier: Apache-2.0
// What a core pays for one packet of 256 bytes, with the packet layer alone: writing it from an aligned buffer, reading
// it into one, and reading it into a buffer that needs realignment. Every node sends to its X+ neighbour; rank 0 prints
// the least of several times, in core cycles by the time base, less what the time base itself costs:
//   packet-cost write=60 read=210 read_unaligned=250
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/torus.h"

enum { GROUP = 0, ROUNDS = 16 };

static uint32_t cycles(void) {
  uint32_t lower;
  __asm__ volatile("mftb %0" : "=r"(lower) : : "memory");
  return lower;
}

static void wait_for_room(void) {
  bgl_torus_status_t status;
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, BGL_TORUS_MAX_CHUNKS));
}

/// The reception FIFO in which a packet has come.
static unsigned wait_for_packet(void) {
  for (;;) {
    bgl_torus_status_t status;
    bgl_torus_read_status(GROUP, &status);
    for (unsigned fifo = BGL_TORUS_R0; fifo <= BGL_TORUS_R5; ++fifo) {
      if (bgl_torus_reception_chunks(&status, fifo) != 0) return fifo;
    }
  }
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

int main(void) {
  struct toroid_personality me;
  if (bgl_get_personality(&me) != 0) return 1;
  static _Alignas(16) uint8_t packet[BGL_TORUS_MAX_CHUNKS * BGL_TORUS_CHUNK_BYTES];
  static _Alignas(16) uint8_t buffer[sizeof packet + 16];
  const uint8_t to[3] = {(uint8_t)((me.coordinates[0] + 1) % me.shape[0]), (uint8_t)me.coordinates[1],
                         (uint8_t)me.coordinates[2]};
  bgl_torus_deterministic_header((bgl_torus_header_t*)packet, to, BGL_TORUS_HINT_X_PLUS, GROUP, BGL_TORUS_MAX_CHUNKS);

  uint32_t nothing = UINT32_MAX, write = UINT32_MAX, read = UINT32_MAX, read_unaligned = UINT32_MAX;
  for (unsigned round = 0; round < 2 * ROUNDS; ++round) {
    uint32_t start = cycles();
    nothing = smaller(nothing, cycles() - start);

    wait_for_room();
    start = cycles();
    bgl_torus_inject(GROUP, BGL_TORUS_I0, packet, BGL_TORUS_MAX_CHUNKS);
    write = smaller(write, cycles() - start);

    const unsigned fifo = wait_for_packet();
    bgl_torus_header_t header;
    start = cycles();
    if (round % 2 == 0) {
      bgl_torus_read_rest(GROUP, fifo, buffer, BGL_TORUS_MAX_QUADS);
      read = smaller(read, cycles() - start);
    } else {
      bgl_torus_read_rest_unaligned(GROUP, fifo, buffer + 3, BGL_TORUS_MAX_QUADS * BGL_TORUS_QUAD_BYTES,
                                    BGL_TORUS_MAX_QUADS);
      read_unaligned = smaller(read_unaligned, cycles() - start);
    }
    memcpy(&header, buffer + (round % 2 == 0 ? 0 : 3), sizeof header);
    if (bgl_torus_header_chunks(&header) != BGL_TORUS_MAX_CHUNKS) return 1;
  }
  if (me.rank == 0) {
    printf("packet-cost write=%u read=%u read_unaligned=%u\n", write - nothing, read - nothing,
           read_unaligned - nothing);
  }
  return 0;
}
