// SPDX-License-Identifier: Apache-2.0
// Rank 0 reads a header from a reception FIFO that holds nothing.
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/msglayer.h"

__attribute__((noinline)) void read_empty_fifo(void) {
  torus_header_t header;
  bgl_torus_peek(0, BGL_TORUS_R0, &header);
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() == 0) read_empty_fifo();
  return 0;
}
