// SPDX-License-Identifier: Apache-2.0
/// The on-chip SRAM of a Blue Gene/L node: 16 KB that both cores share; it is not cached, so both always see the same
/// contents. The message layer calls it the scratchpad. Thin and stateless: software defines the layout.
///
///   offset   in bytes from the scratchpad's start; a multiple of 4 for words, of 16 for quads.
///
/// Order. A core's accesses take effect in program order, and the other core sees them in that order. Accesses to words
/// and quads are atomic. There is no order with respect to cached memory: see cache.h.
///
/// Cost. A read has the latency of a device read; up to four are in flight, and a straight-line run of reads waits
/// once, at its end. Therefore a structure that is polled should fit into one quad.
///
/// An offset past the end ends the program with a report; the hardware rounds a misaligned offset down.
///
/// Sources: address and size bl_physmap.h; "scratchpad", uncached and shared by both cores, section 5.1 of the
/// message-layer paper.
#ifndef TOROID_DRIVERS_BGL_SCRATCHPAD_H_
#define TOROID_DRIVERS_BGL_SCRATCHPAD_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "nic/bgl/sram_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BGL_SCRATCHPAD_BYTES BGL_SRAM_DATA_BYTES

static inline uintptr_t bgl_scratchpad_address(unsigned offset) {
  return BGL_SRAM_BASE + offset;
}

static inline uint32_t bgl_scratchpad_read_word(unsigned offset) {
  return bgl_access_read_word(bgl_scratchpad_address(offset));
}
static inline void bgl_scratchpad_write_word(unsigned offset, uint32_t word) {
  bgl_access_write_word(bgl_scratchpad_address(offset), word);
}

// A quad in memory.
#ifdef __cplusplus
struct alignas(16) bgl_scratchpad_quad_t {
  uint32_t word[4];
};
#else
typedef struct {
  _Alignas(16) uint32_t word[4];
} bgl_scratchpad_quad_t;
#endif

static inline void bgl_scratchpad_read_quad(unsigned offset, bgl_scratchpad_quad_t* quad) {
  bgl_quad_store(quad, bgl_access_read(bgl_scratchpad_address(offset)));
}
static inline void bgl_scratchpad_write_quad(unsigned offset, const bgl_scratchpad_quad_t* quad) {
  bgl_access_write(bgl_scratchpad_address(offset), bgl_quad_load(quad));
}

/// Sets `bytes` bytes, a multiple of 16, to zero.
void bgl_scratchpad_clear(unsigned offset, unsigned bytes);

/// Writes `quads` (0..16) quads from `memory`, a multiple of 16.
void bgl_scratchpad_write(unsigned offset, const void* memory, unsigned quads);

/// Writes `bytes` (0..240) bytes from `memory`, any address, and zeroes up to `total_quads` quads.
void bgl_scratchpad_write_bytes(unsigned offset, const void* memory, unsigned bytes, unsigned total_quads);

/// Reads `bytes` (0..256) bytes to `memory`, any address. Writes no other byte.
void bgl_scratchpad_read(unsigned offset, void* memory, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_SCRATCHPAD_H_
