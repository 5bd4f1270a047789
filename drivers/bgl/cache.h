// SPDX-License-Identifier: Apache-2.0
/// Software control of the L1 data cache of a Blue Gene/L core. The hardware does not keep the caches of the two cores
/// coherent, so software writes back data that the other core will read, and invalidates lines that the other core has
/// written.
///
/// Rules for memory that both cores use alternately:
///   1. The core that wrote flushes (or stores) its lines before it tells the other.
///   2. The core that reads, or writes next, must hold no line of it: it has flushed them since it last touched them,
///      and touches none until it is told.
///   3. A line is the unit of all this. Two cores never use one line at a time: shared data begin on a line and fill
///      whole lines (bgl_cache_whole_lines()).
/// The notification never goes through cached memory, but through the scratchpad (scratchpad.h) or a lock (lockbox.h).
///
/// Functions accept any address and length, and apply to all lines that the range overlaps. They return when the lines
/// have reached memory.
///
/// Sources: line size and missing coherence: section 3 of the message-layer paper; dcbf, dcbst, dcbz, dcbt: PowerPC
/// Book II.
#ifndef TOROID_DRIVERS_BGL_CACHE_H_
#define TOROID_DRIVERS_BGL_CACHE_H_

#include <stdint.h>

#include "drivers/bgl/access.h"

#define BGL_CACHE_LINE_BYTES 32u
#define BGL_CACHE_L1_BYTES 32768u  ///< data

/// The first byte of the line that holds `address`.
static inline uintptr_t bgl_cache_line_of(uintptr_t address) {
  return address & ~(uintptr_t)(BGL_CACHE_LINE_BYTES - 1u);
}

/// `bytes`, rounded up to whole lines.
static inline uint32_t bgl_cache_round_up(uint32_t bytes) {
  return (bytes + BGL_CACHE_LINE_BYTES - 1u) & ~(BGL_CACHE_LINE_BYTES - 1u);
}

/// Whether a range consists of whole lines, and so shares none with adjacent data.
static inline int bgl_cache_whole_lines(const void* memory, uint32_t bytes) {
  return (((uintptr_t)memory | bytes) & (BGL_CACHE_LINE_BYTES - 1u)) == 0;
}

/// Establishes the lines of a range in the cache as zeros, without fetching them from memory. For a range of whole
/// lines that will be overwritten completely.
static inline void bgl_cache_establish(void* memory, uint32_t bytes) {
  uint8_t* line = (uint8_t*)memory;
#pragma GCC unroll 8
  for (uint32_t done = 0; done < bytes; done += BGL_CACHE_LINE_BYTES) bgl_access_zero_line(line + done);
}

/// Prefetches a range that will be read soon, without waiting.
static inline void bgl_cache_touch(const void* memory, uint32_t bytes) {
  const uintptr_t end = (uintptr_t)memory + bytes;
  for (uintptr_t line = bgl_cache_line_of((uintptr_t)memory); line < end; line += BGL_CACHE_LINE_BYTES) {
    bgl_access_touch_line((const void*)line);
  }
}

/// Writes back and invalidates the whole data cache: a kernel call that takes some thousands of cycles.
static inline void bgl_cache_flush_all(void) {
  bgl_access_flush_cache();
  bgl_access_barrier();
}

/// Writes back and invalidates a range. If the range is longer than two caches, most of its lines are not cached, and
/// the whole cache is flushed instead.
static inline void bgl_cache_flush(const void* memory, uint32_t bytes) {
  if (bytes == 0) return;
  if (bytes > 2 * BGL_CACHE_L1_BYTES) {
    bgl_cache_flush_all();
    return;
  }
  const uintptr_t end = (uintptr_t)memory + bytes;
  for (uintptr_t line = bgl_cache_line_of((uintptr_t)memory); line < end; line += BGL_CACHE_LINE_BYTES) {
    bgl_access_flush_line((const void*)line);
  }
  bgl_access_barrier();
}

/// Writes back a range and keeps it in the cache: for data that this core continues to read.
static inline void bgl_cache_store(const void* memory, uint32_t bytes) {
  if (bytes == 0) return;
  const uintptr_t end = (uintptr_t)memory + bytes;
  for (uintptr_t line = bgl_cache_line_of((uintptr_t)memory); line < end; line += BGL_CACHE_LINE_BYTES) {
    bgl_access_store_line((const void*)line);
  }
  bgl_access_barrier();
}

#endif  // TOROID_DRIVERS_BGL_CACHE_H_
