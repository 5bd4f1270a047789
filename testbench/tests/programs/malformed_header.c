// SPDX-License-Identifier: Apache-2.0
// Rank 0 injects a packet whose header the hardware must refuse.
//   malformed_header [what]: hints (default; plus and minus of X), channel (dynamic on the bubble channel), destination
//   (outside the machine)
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/msglayer.h"

__attribute__((noinline)) void inject_malformed(const torus_fields_t* fields) {
  _Alignas(16) uint32_t packet[TORUS_CHUNK_BYTES / 4] = {torus_encode0(fields), torus_encode1(fields)};
  bgl_torus_inject(0, BGL_TORUS_I0, packet, 1);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "hints";
  bglml_init(NULL);
  if (bglml_rank() != 0) return 0;
  const bglml_coordinates_t to = bglml_coordinates(bglml_size() - 1);
  torus_fields_t fields = {.chunks = 1, .vc = TORUS_VC_BUBBLE, .destination = {to.x, to.y, to.z}};
  if (strcmp(what, "hints") == 0) {
    fields.hints = TORUS_HINT_X_PLUS | TORUS_HINT_X_MINUS;
  } else if (strcmp(what, "channel") == 0) {
    fields.dynamic = 1;
  } else if (strcmp(what, "destination") == 0) {
    fields.destination[0] = 200;
  } else {
    fprintf(stderr, "malformed_header: hints, channel or destination\n");
    return 2;
  }
  inject_malformed(&fields);
  for (;;) bglml_advance();  // the report comes from the network, after the store
}
