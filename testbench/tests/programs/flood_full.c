// SPDX-License-Identifier: Apache-2.0
// Rank 0 writes packets into an injection FIFO without a look at its status, to the last rank, which reads nothing:
// sooner or later the FIFO is full and is written all the same. The other ranks stay alive and idle.
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/msglayer.h"

__attribute__((noinline)) void flood(const torus_header_t* header) {
  for (;;) bgl_torus_inject_gather(0, BGL_TORUS_I0, header, NULL, 0, TORUS_MAX_QUADS);
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() != 0) {
    for (volatile unsigned turn = 0; turn < 100000; ++turn) {
    }
    return 0;
  }
  const bglml_coordinates_t to = bglml_coordinates(bglml_size() - 1);
  const uint8_t destination[] = {to.x, to.y, to.z};
  torus_header_t header = {{0}};
  bgl_torus_dynamic_header(&header, destination, 0, 0, TORUS_MAX_CHUNKS);
  flood(&header);
}
