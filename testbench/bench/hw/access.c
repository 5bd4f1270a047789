// SPDX-License-Identifier: Apache-2.0
//
// Accesses devices, over and over: access WHAT ROUNDS. A round is
//
//   nothing   the loop alone, without an access
//   status    four loads of the torus FIFOs' status
//   words     a store to and a load from the SRAM, of a word each
//   packet    a packet of 16 quads to the node itself: 16 stores to a FIFO, as many status loads as it takes, 16 loads
//
// The time of an access is the difference between two numbers of rounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/scratchpad.h"
#include "drivers/bgl/torus.h"

#define CHUNKS 8u

static void nothing(void) {
  __asm__ volatile("" ::: "memory");
}

static void status(void) {
  const uintptr_t address = BGL_TORUS_BASE + BGL_TORUS_STATUS_OFFSET;
  for (unsigned i = 0; i < 4; ++i) {
    const bgl_quad_t quad = bgl_access_read(address);
    __asm__ volatile("" : : "v"(quad));
  }
}

static void words(void) {
  bgl_scratchpad_write_word(0, bgl_scratchpad_read_word(0) + 1);
}

static void packet(void) {
  static _Alignas(16) uint8_t quads[16 * 16];
  static const uint8_t here[3];
  torus_header_t* const header = (torus_header_t*)quads;
  bgl_torus_deterministic_header(header, here, TORUS_HINT_X_PLUS, 0, CHUNKS);
  bgl_torus_inject(0, BGL_TORUS_I0, quads, CHUNKS);
  for (unsigned fifo = 0;; fifo = (fifo + 1) % BGL_TORUS_RECEPTION_FIFOS) {
    bgl_torus_status_t now;
    bgl_torus_read_status(0, &now);
    if (bgl_torus_reception_chunks(&now, fifo) != CHUNKS) continue;
    bgl_torus_peek(0, fifo, header);
    bgl_torus_read_rest(0, fifo, quads + 16, bgl_torus_rest_quads(header));
    return;
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*round)(void);
  } kinds[] = {{"nothing", nothing}, {"status", status}, {"words", words}, {"packet", packet}};
  for (unsigned kind = 0; argc == 3 && kind < sizeof kinds / sizeof *kinds; ++kind) {
    if (strcmp(argv[1], kinds[kind].name) != 0) continue;
    for (long left = strtol(argv[2], NULL, 10); left > 0; --left) kinds[kind].round();
    return 0;
  }
  fprintf(stderr, "usage: bench_access nothing|status|words|packet ROUNDS\n");
  return 2;
}
