// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/torus.h"

#include <string.h>

// Straight runs of accesses. A core has up to four device loads in flight and waits for them at the end of a straight
// run of code, so each size of packet has a run of its own: all loads first, then the stores that need what they
// brought. (32 vector registers hold a whole packet.) AGAIN is expanded with 0, 1, 2, ... n-1.
#define RUN_1(AGAIN) AGAIN(0)
#define RUN_2(AGAIN) RUN_1(AGAIN) AGAIN(1)
#define RUN_3(AGAIN) RUN_2(AGAIN) AGAIN(2)
#define RUN_4(AGAIN) RUN_3(AGAIN) AGAIN(3)
#define RUN_5(AGAIN) RUN_4(AGAIN) AGAIN(4)
#define RUN_6(AGAIN) RUN_5(AGAIN) AGAIN(5)
#define RUN_7(AGAIN) RUN_6(AGAIN) AGAIN(6)
#define RUN_8(AGAIN) RUN_7(AGAIN) AGAIN(7)
#define RUN_9(AGAIN) RUN_8(AGAIN) AGAIN(8)
#define RUN_10(AGAIN) RUN_9(AGAIN) AGAIN(9)
#define RUN_11(AGAIN) RUN_10(AGAIN) AGAIN(10)
#define RUN_12(AGAIN) RUN_11(AGAIN) AGAIN(11)
#define RUN_13(AGAIN) RUN_12(AGAIN) AGAIN(12)
#define RUN_14(AGAIN) RUN_13(AGAIN) AGAIN(13)
#define RUN_15(AGAIN) RUN_14(AGAIN) AGAIN(14)
#define RUN_16(AGAIN) RUN_15(AGAIN) AGAIN(15)

#define EACH_SIZE(CASE) \
  CASE(1)               \
  CASE(2)               \
  CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15) CASE(16)

// Device to quads, quads to memory.
#define TAKE(i) const bgl_quad_t quad##i = bgl_access_read(window);
#define DROP(i) (void)bgl_access_read(window);
#define KEEP(i) bgl_quad_store(to + (i)*BGL_TORUS_QUAD_BYTES, quad##i);
#define KEEP_JOINED(i)                                                                                       \
  if ((i) > 0) bgl_quad_store(aligned + (i)*BGL_TORUS_QUAD_BYTES, bgl_quad_join(previous, quad##i, offset)); \
  previous = quad##i;

// Memory to quads, quads to device.
#define FETCH(i) const bgl_quad_t quad##i = bgl_quad_load(from + (i)*BGL_TORUS_QUAD_BYTES);
#define FETCH_UNALIGNED(i) const bgl_quad_t quad##i = bgl_quad_load_unaligned(from + (i)*BGL_TORUS_QUAD_BYTES);
#define GIVE(i) bgl_access_write(window, quad##i);

static const _Alignas(16) uint8_t kZeroQuad[BGL_TORUS_QUAD_BYTES];

static void read_quads(uintptr_t window, uint8_t* to, unsigned quads) {
#define CASE(n)                 \
  case n: {                     \
    RUN_##n(TAKE) RUN_##n(KEEP) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

// `to` is no multiple of 16. The aligned quads inside the destination are joined from two quads each; the unaligned
// first and last 16 bytes of it are stored whole, over what the joined quads put there already.
static void read_quads_unaligned(uintptr_t window, uint8_t* to, unsigned quads) {
  const unsigned past = (uintptr_t)to & (BGL_TORUS_QUAD_BYTES - 1u);
  const unsigned offset = BGL_TORUS_QUAD_BYTES - past;
  uint8_t* const aligned = to - past;
  _Alignas(16) uint8_t first[BGL_TORUS_QUAD_BYTES];
  _Alignas(16) uint8_t last[BGL_TORUS_QUAD_BYTES];
  bgl_quad_t previous;
  if (quads == 0) return;
#define CASE(n)                                          \
  case n: {                                              \
    RUN_##n(TAKE) bgl_quad_store(first, quad0);          \
    RUN_##n(KEEP_JOINED) bgl_quad_store(last, previous); \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
  memcpy(to, first, sizeof first);
  memcpy(to + (quads - 1u) * BGL_TORUS_QUAD_BYTES, last, sizeof last);
}

static void write_quads(uintptr_t window, const uint8_t* from, unsigned quads) {
#define CASE(n)                  \
  case n: {                      \
    RUN_##n(FETCH) RUN_##n(GIVE) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

static void write_quads_unaligned(uintptr_t window, const uint8_t* from, unsigned quads) {
#define CASE(n)                            \
  case n: {                                \
    RUN_##n(FETCH_UNALIGNED) RUN_##n(GIVE) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

static inline void write_zeroes(uintptr_t window, unsigned quads) {
  const bgl_quad_t zero = bgl_quad_load(kZeroQuad);
  for (; quads > 0; --quads) {
    bgl_access_write(window, zero);
  }
}

void bgl_torus_inject(unsigned group, unsigned fifo, const void* packet, unsigned chunks) {
  write_quads(bgl_torus_injection_window(group, fifo), (const uint8_t*)packet, BGL_TORUS_CHUNK_QUADS * chunks);
}

void bgl_torus_inject_gather(unsigned group, unsigned fifo, const bgl_torus_header_t* header, const void* payload,
                             unsigned payload_quads, unsigned total_quads) {
  const uintptr_t window = bgl_torus_injection_window(group, fifo);
  bgl_access_write(window, bgl_quad_load(header));
  write_quads(window, (const uint8_t*)payload, payload_quads);
  write_zeroes(window, total_quads - payload_quads - 1u);
}

void bgl_torus_inject_bytes(unsigned group, unsigned fifo, const bgl_torus_header_t* header, const void* payload,
                            unsigned payload_bytes, unsigned total_quads) {
  const uintptr_t window = bgl_torus_injection_window(group, fifo);
  const uint8_t* from = (const uint8_t*)payload;
  const unsigned whole = payload_bytes / BGL_TORUS_QUAD_BYTES;
  const unsigned rest = payload_bytes % BGL_TORUS_QUAD_BYTES;
  bgl_access_write(window, bgl_quad_load(header));
  if (((uintptr_t)from & (BGL_TORUS_QUAD_BYTES - 1u)) == 0) {
    write_quads(window, from, whole);
  } else {
    write_quads_unaligned(window, from, whole);
  }
  if (rest > 0) {
    _Alignas(16) uint8_t last[BGL_TORUS_QUAD_BYTES] = {0};
    memcpy(last, from + whole * BGL_TORUS_QUAD_BYTES, rest);
    bgl_access_write(window, bgl_quad_load(last));
  }
  write_zeroes(window, total_quads - 1u - whole - (rest > 0 ? 1u : 0u));
}

void bgl_torus_read_rest(unsigned group, unsigned fifo, void* destination, unsigned quads) {
  read_quads(bgl_torus_reception_window(group, fifo), (uint8_t*)destination, quads);
}

void bgl_torus_discard(unsigned group, unsigned fifo, unsigned quads) {
  const uintptr_t window = bgl_torus_reception_window(group, fifo);
#define CASE(n)   \
  case n: {       \
    RUN_##n(DROP) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

void bgl_torus_read_rest_unaligned(unsigned group, unsigned fifo, void* destination, unsigned bytes, unsigned quads) {
  const uintptr_t window = bgl_torus_reception_window(group, fifo);
  uint8_t* to = (uint8_t*)destination;
  const unsigned whole = bytes / BGL_TORUS_QUAD_BYTES;
  const unsigned rest = bytes % BGL_TORUS_QUAD_BYTES;
  if (((uintptr_t)to & (BGL_TORUS_QUAD_BYTES - 1u)) == 0) {
    read_quads(window, to, whole);
  } else {
    read_quads_unaligned(window, to, whole);
  }
  if (rest > 0) {
    _Alignas(16) uint8_t last[BGL_TORUS_QUAD_BYTES];
    bgl_quad_store(last, bgl_access_read(window));
    memcpy(to + whole * BGL_TORUS_QUAD_BYTES, last, rest);
  }
  bgl_torus_discard(group, fifo, quads - whole - (rest > 0 ? 1u : 0u));
}
