// SPDX-License-Identifier: Apache-2.0
//
// The L1 data cache of a Blue Gene/L core, by hand: nothing keeps the two cores' caches coherent, so software writes
// back what the other core is to read and forgets what the other core has written.
//
// Rules for memory that both cores use, one after the other:
//   1. The core that wrote flushes (or stores) its lines before it tells the other.
//   2. The core that reads, or writes next, must hold no line of it: it has flushed them since it last touched them,
//      and touches none until it is told.
//   3. A line is the unit of all this. Two cores never use one line at a time: shared data begin on a line and fill
//      whole lines (bgl_cache_whole_lines()).
// What tells the other is never cached memory: the scratchpad (scratchpad.h) or a lock (lockbox.h).
//
// Any address and length: the lines touched by the range are meant. All functions end when the lines have reached
// memory.
//
// Sources: line size and the need for all this section 3 of the message-layer paper; dcbf, dcbst,
// dcbz, dcbt: PowerPC Book II.
#ifndef TOROID_DRIVERS_BGL_CACHE_H_
#define TOROID_DRIVERS_BGL_CACHE_H_

#include <stdint.h>

#include "drivers/bgl/access.h"

#define BGL_CACHE_LINE_BYTES 32u
#define BGL_CACHE_L1_BYTES 32768u  // data

// The first byte of the line that holds `address`.
static inline uintptr_t bgl_cache_line_of(uintptr_t address) {
  return address & ~(uintptr_t)(BGL_CACHE_LINE_BYTES - 1u);
}

// `bytes`, rounded up to whole lines.
static inline uint32_t bgl_cache_round_up(uint32_t bytes) {
  return (bytes + BGL_CACHE_LINE_BYTES - 1u) & ~(BGL_CACHE_LINE_BYTES - 1u);
}

// Whether a range fills whole lines, and shares none with what lies beside it.
static inline int bgl_cache_whole_lines(const void* memory, uint32_t bytes) {
  return (((uintptr_t)memory | bytes) & (BGL_CACHE_LINE_BYTES - 1u)) == 0;
}

// Before a range of whole lines is written from end to end: its lines, zeroed, without being fetched from memory.
static inline void bgl_cache_establish(void* memory, uint32_t bytes) {
  uint8_t* line = (uint8_t*)memory;
#pragma GCC unroll 8
  for (uint32_t done = 0; done < bytes; done += BGL_CACHE_LINE_BYTES) bgl_access_zero_line(line + done);
}

// Has a range fetched that will be read soon, without waiting.
static inline void bgl_cache_touch(const void* memory, uint32_t bytes) {
  const uintptr_t end = (uintptr_t)memory + bytes;
  for (uintptr_t line = bgl_cache_line_of((uintptr_t)memory); line < end; line += BGL_CACHE_LINE_BYTES) {
    bgl_access_touch_line((const void*)line);
  }
}

// Writes the whole data cache back and forgets it: a kernel call, some thousands of cycles.
static inline void bgl_cache_flush_all(void) {
  bgl_access_flush_cache();
  bgl_access_barrier();
}

// Writes a range back and forgets it. The range may be long: where it is longer than two caches, most of its lines are
// not there, and the whole cache goes.
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

// Writes a range back and keeps it: for data that this core goes on reading.
static inline void bgl_cache_store(const void* memory, uint32_t bytes) {
  if (bytes == 0) return;
  const uintptr_t end = (uintptr_t)memory + bytes;
  for (uintptr_t line = bgl_cache_line_of((uintptr_t)memory); line < end; line += BGL_CACHE_LINE_BYTES) {
    bgl_access_store_line((const void*)line);
  }
  bgl_access_barrier();
}

#endif  // TOROID_DRIVERS_BGL_CACHE_H_
