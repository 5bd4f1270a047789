// SPDX-License-Identifier: Apache-2.0
//
// One packet through the torus FIFOs, without a message layer: every node sends its rank to its X+ neighbour.
#include <stdio.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/torus.h"

enum { GROUP = 0 };  // of the two groups of FIFOs

int main(void) {
  struct toroid_personality me;
  if (bgl_get_personality(&me) != 0) return 1;

  // One chunk of 32 bytes: a quad of header and a quad of payload.
  struct {
    torus_header_t header;
    uint32_t payload[4];
  } packet = {0};
  const uint8_t neighbour[3] = {(uint8_t)((me.coordinates[0] + 1) % me.shape[0]), (uint8_t)me.coordinates[1],
                                (uint8_t)me.coordinates[2]};
  bgl_torus_deterministic_header(&packet.header, neighbour, TORUS_HINT_X_PLUS, GROUP, 1);
  packet.payload[0] = me.rank;

  // Look for room before writing: the hardware does not wait.
  bgl_torus_status_t status;
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, 1));
  bgl_torus_inject(GROUP, BGL_TORUS_I0, &packet, 1);

  // What comes from the X- neighbour comes in R1.
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (bgl_torus_reception_chunks(&status, BGL_TORUS_R1) == 0);
  bgl_torus_peek(GROUP, BGL_TORUS_R1, &packet.header);
  bgl_torus_read_rest(GROUP, BGL_TORUS_R1, packet.payload, bgl_torus_rest_quads(&packet.header));
  printf("rank %u: a packet from rank %u\n", (unsigned)me.rank, (unsigned)packet.payload[0]);
  return 0;
}
