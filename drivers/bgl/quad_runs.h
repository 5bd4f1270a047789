// SPDX-License-Identifier: Apache-2.0
/// For the drivers' own sources: straight-line runs of quad accesses between memory and a device, for any alignment.
///
///   window, stride   address of the first quad, and distance to the next: 0 for a FIFO window, where each access reads
///                    or writes the next quad; 16 for memory in the device. The stride is a constant in each use.
#ifndef TOROID_DRIVERS_BGL_QUAD_RUNS_H_
#define TOROID_DRIVERS_BGL_QUAD_RUNS_H_

#include <stdint.h>
#include <string.h>

#include "drivers/bgl/access.h"
#include "nic/bgl/torus_packet.h"

/// Always inlined, so that the stride becomes a constant part of the addresses.
#define BGL_INLINE static inline __attribute__((always_inline))

/// A core has up to four device loads in flight and waits for them at the end of a straight run of code, so each packet
/// size has its own run: all loads first, then the stores of the loaded values. (32 vector registers hold a whole
/// packet.) AGAIN is expanded with 0, 1, 2, ... n-1.
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

/// Device to quads, quads to memory.
#define TAKE(i) const bgl_quad_t quad##i = bgl_access_read(window + (i)*stride);
#define DROP(i) (void)bgl_access_read(window + (i)*stride);
#define KEEP(i) bgl_quad_store(to + (i)*TORUS_QUAD_BYTES, quad##i);
#define KEEP_JOINED(i)                                                                                   \
  if ((i) > 0) bgl_quad_store(aligned + (i)*TORUS_QUAD_BYTES, bgl_quad_join(previous, quad##i, offset)); \
  previous = quad##i;

/// Memory to quads, quads to device.
#define FETCH(i) const bgl_quad_t quad##i = bgl_quad_now(bgl_quad_load(from + (i)*TORUS_QUAD_BYTES));
#define FETCH_UNALIGNED(i) \
  const bgl_quad_t quad##i = bgl_quad_now(bgl_quad_load_unaligned(from + (i)*TORUS_QUAD_BYTES));
#define GIVE(i) bgl_access_write(window + (i)*stride, quad##i);

BGL_INLINE void bgl_run_read_quads(uintptr_t window, unsigned stride, uint8_t* to, unsigned quads) {
#define CASE(n)                 \
  case n: {                     \
    RUN_##n(TAKE) RUN_##n(KEEP) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

/// `to` is not a multiple of 16. Each aligned quad inside the destination is joined from two quads; then the unaligned
/// first and last 16 bytes of the destination are stored, overwriting part of the joined quads with the same values.
BGL_INLINE void bgl_run_read_quads_unaligned(uintptr_t window, unsigned stride, uint8_t* to, unsigned quads) {
  const unsigned past = (uintptr_t)to & (TORUS_QUAD_BYTES - 1u);
  const unsigned offset = TORUS_QUAD_BYTES - past;
  uint8_t* const aligned = to - past;
  uint8_t first[TORUS_QUAD_BYTES] __attribute__((aligned(16)));
  uint8_t last[TORUS_QUAD_BYTES] __attribute__((aligned(16)));
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
  memcpy(to + (quads - 1u) * TORUS_QUAD_BYTES, last, sizeof last);
}

BGL_INLINE void bgl_run_write_quads(uintptr_t window, unsigned stride, const uint8_t* from, unsigned quads) {
#define CASE(n)                  \
  case n: {                      \
    RUN_##n(FETCH) RUN_##n(GIVE) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

BGL_INLINE void bgl_run_write_quads_unaligned(uintptr_t window, unsigned stride, const uint8_t* from, unsigned quads) {
#define CASE(n)                            \
  case n: {                                \
    RUN_##n(FETCH_UNALIGNED) RUN_##n(GIVE) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

BGL_INLINE void bgl_run_write_zeroes(uintptr_t window, unsigned stride, unsigned quads) {
  static const uint8_t zeroes[TORUS_QUAD_BYTES] __attribute__((aligned(16))) = {0};
  const bgl_quad_t zero = bgl_quad_load(zeroes);
  for (; quads > 0; --quads, window += stride) bgl_access_write(window, zero);
}

BGL_INLINE int bgl_run_aligned(const void* memory) {
  return ((uintptr_t)memory & (TORUS_QUAD_BYTES - 1u)) == 0;
}

/// Reads `quads` (0..16) quads and discards them.
BGL_INLINE void bgl_run_discard(uintptr_t window, unsigned stride, unsigned quads) {
#define CASE(n)   \
  case n: {       \
    RUN_##n(DROP) \
  } break;
  switch (quads) { EACH_SIZE(CASE) }
#undef CASE
}

/// Reads the quads that contain `bytes` (0..256) bytes and stores the bytes at `to`, any address. Returns the number of
/// quads.
BGL_INLINE unsigned bgl_run_read_bytes(uintptr_t window, unsigned stride, uint8_t* to, unsigned bytes) {
  const unsigned whole = bytes / TORUS_QUAD_BYTES;
  const unsigned rest = bytes % TORUS_QUAD_BYTES;
  if (bgl_run_aligned(to)) {
    bgl_run_read_quads(window, stride, to, whole);
  } else {
    bgl_run_read_quads_unaligned(window, stride, to, whole);
  }
  if (rest == 0) return whole;
  uint8_t last[TORUS_QUAD_BYTES] __attribute__((aligned(16)));
  bgl_quad_store(last, bgl_access_read(window + whole * stride));
  memcpy(to + whole * TORUS_QUAD_BYTES, last, rest);
  return whole + 1u;
}

/// Writes `bytes` (0..256) bytes from `from`, any address, then zeroes up to `total_quads`.
BGL_INLINE void bgl_run_write_bytes(uintptr_t window, unsigned stride, const uint8_t* from, unsigned bytes,
                                    unsigned total_quads) {
  const unsigned whole = bytes / TORUS_QUAD_BYTES;
  const unsigned rest = bytes % TORUS_QUAD_BYTES;
  if (bgl_run_aligned(from)) {
    bgl_run_write_quads(window, stride, from, whole);
  } else {
    bgl_run_write_quads_unaligned(window, stride, from, whole);
  }
  window += whole * stride;
  if (rest > 0) {
    uint8_t last[TORUS_QUAD_BYTES] __attribute__((aligned(16))) = {0};
    memcpy(last, from + whole * TORUS_QUAD_BYTES, rest);
    bgl_access_write(window, bgl_quad_load(last));
    window += stride;
  }
  bgl_run_write_zeroes(window, stride, total_quads - whole - (rest > 0 ? 1u : 0u));
}

/// Writes `header`, then `bytes` (0..240) bytes from `from`, any address, then zeroes up to `total_quads`.
BGL_INLINE void bgl_run_write_packet(uintptr_t window, unsigned stride, const void* header, const uint8_t* from,
                                     unsigned bytes, unsigned total_quads) {
  bgl_access_write(window, bgl_quad_load(header));
  bgl_run_write_bytes(window + stride, stride, from, bytes, total_quads - 1u);
}

#endif  // TOROID_DRIVERS_BGL_QUAD_RUNS_H_
