// SPDX-License-Identifier: Apache-2.0
/// Messages with arbitrary arrangements of bytes, for tests: positions, contents and arrival are computed out from a
/// key, so that both ends can do it. The bytes around them are guarded.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGL_ARRANGEMENT_H
#define TOROID_FIRMWARE_PROGRAMS_BGL_ARRANGEMENT_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARRANGEMENT_BLOCKS = 48, ARRANGEMENT_GUARD = 32, ARRANGEMENT_ALIGNMENTS = 16 };

typedef struct {
  uint32_t length;
  bool contiguous;        ///< the layout is one block
  uint32_t alignment;     ///< of the buffer: bytes behind a multiple of 16
  uint32_t extent;        ///< all blocks lie within this many bytes of the buffer
  bglml_layout_t layout;  ///< points into this: do not copy
  bglml_block_t blocks[ARRANGEMENT_BLOCKS];
} arrangement_t;

/// Bytes of the area for any arrangement of `length` bytes, guards and all. The area is aligned to 16 bytes.
uint32_t arrangement_area(uint32_t length);

/// Arrange `length` bytes; contiguous unless `layouts`, and then sometimes.
void arrangement_make(arrangement_t* arrangement, uint32_t key, uint32_t length, bool layouts);

/// Where the buffer begins in its area.
uint8_t* arrangement_buffer(const arrangement_t* arrangement, uint8_t* area);

/// Put the message that is known by `key` into its places. `scratch` has room for `length` bytes.
void arrangement_fill(const arrangement_t* arrangement, uint8_t* area, uint32_t key, uint8_t* scratch);

/// Writes guards to all positions that no byte of the message uses.
void arrangement_guard(const arrangement_t* arrangement, uint8_t* area);

/// The message's first wrong byte, or its length. Spoils the area.
uint32_t arrangement_check(const arrangement_t* arrangement, uint8_t* area, uint32_t key, uint8_t* scratch);

/// Whether all guards are whole, after arrangement_check.
bool arrangement_guarded(const arrangement_t* arrangement, const uint8_t* area);

#ifdef __cplusplus
}
#endif

#endif
