// SPDX-License-Identifier: Apache-2.0
/// Reception of full packets at the full rate of a FIFO: sixteen quads in the time of sixteen reads, with the header
/// known after the first four. Reading only the header takes as long as reading four quads, so three quads are read
/// ahead.
///
///   window   of a reception FIFO (bgl_torus_reception_window())
///
/// The caller must have seen at least two chunks in the FIFO (four quads). If the packet has only one chunk, the last
/// two of the four quads are the first ones of the next packet.
#ifndef TOROID_DRIVERS_BGL_TORUS_FULL_H_
#define TOROID_DRIVERS_BGL_TORUS_FULL_H_

#include "drivers/bgl/quad_runs.h"
#include "drivers/bgl/torus.h"

#define BGL_TORUS_AHEAD_QUADS 4u  ///< read with the header, including it

/// The three quads after a header, in registers.
typedef struct {
  bgl_quad_t quad[BGL_TORUS_AHEAD_QUADS - 1u];
} bgl_torus_ahead_t;

/// Reads a header and the three quads after it.
BGL_INLINE bgl_torus_ahead_t bgl_torus_peek_ahead(uintptr_t window, torus_header_t* header) {
  const bgl_quad_t first = bgl_access_read(window);
  const bgl_quad_t second = bgl_access_read(window);
  const bgl_quad_t third = bgl_access_read(window);
  const bgl_quad_t fourth = bgl_access_read(window);
  bgl_quad_store(header, first);
  const bgl_torus_ahead_t ahead = {{second, third, fourth}};
  return ahead;
}

/// Stores the three quads at `to`, a multiple of 16.
BGL_INLINE void bgl_torus_keep_ahead(const bgl_torus_ahead_t* ahead, uint8_t* to) {
  bgl_quad_store(to, ahead->quad[0]);
  bgl_quad_store(to + TORUS_QUAD_BYTES, ahead->quad[1]);
  bgl_quad_store(to + 2 * TORUS_QUAD_BYTES, ahead->quad[2]);
}

/// For a full packet (eight chunks): stores its 240 bytes of payload at `to`, a multiple of 16.
BGL_INLINE void bgl_torus_read_full(uintptr_t window, const bgl_torus_ahead_t* ahead, uint8_t* to) {
  bgl_torus_keep_ahead(ahead, to);
  to += (BGL_TORUS_AHEAD_QUADS - 1u) * TORUS_QUAD_BYTES;
  const unsigned stride = 0;
  RUN_12(TAKE)
  RUN_12(KEEP)
}

/// The same for a packet whose first quad after the header is not payload: 224 bytes.
BGL_INLINE void bgl_torus_read_full_behind_lead(uintptr_t window, const bgl_torus_ahead_t* ahead, uint8_t* to) {
  bgl_quad_store(to, ahead->quad[1]);
  bgl_quad_store(to + TORUS_QUAD_BYTES, ahead->quad[2]);
  to += (BGL_TORUS_AHEAD_QUADS - 2u) * TORUS_QUAD_BYTES;
  const unsigned stride = 0;
  RUN_12(TAKE)
  RUN_12(KEEP)
}

/// Writes such a packet: header, lead and 224 bytes from `from`, a multiple of 16.
BGL_INLINE void bgl_torus_inject_full_behind_lead(uintptr_t window, const torus_header_t* header, const void* lead,
                                                  const uint8_t* from) {
  const unsigned stride = 0;
  bgl_access_write(window, bgl_quad_load(header));
  bgl_access_write(window, bgl_quad_load(lead));
  RUN_14(FETCH)
  RUN_14(GIVE)
}

#endif  // TOROID_DRIVERS_BGL_TORUS_FULL_H_
