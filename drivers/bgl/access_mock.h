// SPDX-License-Identifier: Apache-2.0
/// The host's implementation of access.h, for tests: it records every device access in order and answers reads from a
/// script. Only tests have this state; the driver itself has none.
#ifndef TOROID_DRIVERS_BGL_ACCESS_MOCK_H_
#define TOROID_DRIVERS_BGL_ACCESS_MOCK_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint8_t byte[16];
} bgl_quad_t;

typedef enum {
  BGL_MOCK_READ,
  BGL_MOCK_WRITE,
  BGL_MOCK_READ_WORD,
  BGL_MOCK_WRITE_WORD,
  BGL_MOCK_BARRIER,
  BGL_MOCK_FLUSH_LINE,
  BGL_MOCK_STORE_LINE,
  BGL_MOCK_ZERO_LINE,
  BGL_MOCK_TOUCH_LINE,
  BGL_MOCK_FLUSH_CACHE
} bgl_mock_kind_t;

typedef struct {
  bgl_mock_kind_t kind;
  uintptr_t address;  ///< 0 for a barrier and for a flush of the whole cache
  bgl_quad_t quad;    ///< the value written, or the answer to a read
  uint32_t word;      ///< the same for a word access
} bgl_mock_access_t;

#define BGL_MOCK_CAPACITY 4096

/// Clears the record and the script.
void bgl_mock_reset(void);
/// Appends an answer to the script: `quad` for the next quad read that has no answer yet, `word` for the next word
/// read. Reads without an answer return zero.
void bgl_mock_answer(const void* quad);
void bgl_mock_answer_word(uint32_t word);
/// The recorded accesses.
size_t bgl_mock_count(void);
const bgl_mock_access_t* bgl_mock_access(size_t number);

/// The functions of access.h.
bgl_quad_t bgl_access_read(uintptr_t address);
void bgl_access_write(uintptr_t address, bgl_quad_t quad);
uint32_t bgl_access_read_word(uintptr_t address);
void bgl_access_write_word(uintptr_t address, uint32_t word);
void bgl_access_barrier(void);
void bgl_access_flush_line(const void* memory);
void bgl_access_store_line(const void* memory);
void bgl_access_zero_line(void* memory);
void bgl_access_touch_line(const void* memory);
void bgl_access_flush_cache(void);
/// Aborts if `memory` is not a multiple of 16, which the hardware would silently round down.
bgl_quad_t bgl_quad_load(const void* memory);
void bgl_quad_store(void* memory, bgl_quad_t quad);

static inline bgl_quad_t bgl_quad_load_unaligned(const void* memory) {
  bgl_quad_t quad;
  memcpy(quad.byte, memory, sizeof quad.byte);
  return quad;
}

static inline bgl_quad_t bgl_quad_join(bgl_quad_t first, bgl_quad_t second, unsigned offset) {
  bgl_quad_t joined;
  memcpy(joined.byte, first.byte + offset, 16u - offset);
  memcpy(joined.byte + (16u - offset), second.byte, offset);
  return joined;
}
static inline bgl_quad_t bgl_quad_now(bgl_quad_t quad) {
  return quad;
}

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_ACCESS_MOCK_H_
