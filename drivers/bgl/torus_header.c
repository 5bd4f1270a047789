// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/torus.h"

unsigned bgl_torus_minimal_hints(const bgl_torus_shape_t* shape, const uint8_t from[3], const uint8_t to[3]) {
  unsigned hints = 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (from[dimension] == to[dimension]) continue;
    int plus = to[dimension] > from[dimension];
    if (shape->torus[dimension]) {
      const unsigned size = shape->size[dimension];
      const unsigned forward = (to[dimension] + size - from[dimension]) % size;
      plus = 2u * forward <= size;
    }
    hints |= TORUS_HINT(2u * dimension + (plus ? 0u : 1u));
  }
  return hints;
}

static void set_hardware_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                                unsigned chunks, uint32_t routing) {
  header->word[0] = torus_be32(TORUS_CSUM_SKIP_HEADER << TORUS_HEADER0_CSUM_SKIP_SHIFT |
                               (uint32_t)hints << TORUS_HEADER0_HINTS_SHIFT | (uint32_t)pid << TORUS_HEADER0_PID_SHIFT |
                               (uint32_t)(chunks - 1u) << TORUS_HEADER0_CHUNKS_SHIFT | routing |
                               (uint32_t)destination[0] << TORUS_HEADER0_X_SHIFT);
  header->word[1] =
      torus_be32((uint32_t)destination[1] << TORUS_HEADER1_Y_SHIFT | (uint32_t)destination[2] << TORUS_HEADER1_Z_SHIFT);
}

void bgl_torus_dynamic_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                              unsigned chunks) {
  set_hardware_header(header, destination, hints, pid, chunks,
                      TORUS_HEADER0_DYNAMIC_MASK | TORUS_VC_DYNAMIC0 << TORUS_HEADER0_VC_SHIFT);
}

void bgl_torus_deterministic_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                                    unsigned chunks) {
  set_hardware_header(header, destination, hints, pid, chunks, TORUS_VC_BUBBLE << TORUS_HEADER0_VC_SHIFT);
}

void bgl_torus_priority_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                               unsigned chunks) {
  set_hardware_header(header, destination, hints, pid, chunks, TORUS_VC_PRIORITY << TORUS_HEADER0_VC_SHIFT);
}

void bgl_torus_deposit_header(torus_header_t* header, const uint8_t destination[3], unsigned hint, unsigned pid,
                              unsigned chunks) {
  set_hardware_header(header, destination, hint, pid, chunks,
                      TORUS_HEADER0_DEPOSIT_MASK | TORUS_VC_BUBBLE << TORUS_HEADER0_VC_SHIFT);
}
