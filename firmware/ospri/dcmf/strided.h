// SPDX-License-Identifier: Apache-2.0
/// Strided memory: blocks of equal size at regular distances, in several levels.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_STRIDED_H
#define TOROID_FIRMWARE_OSPRI_DCMF_STRIDED_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/ospri/dcmf/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One side of a strided operation.
typedef struct {
  char* base;
  unsigned block;   ///< bytes
  unsigned levels;  ///< 0: one block
  ospri_level_t level[OSPRI_LEVELS];
} ospri_side_t;

/// A strided operation; both sides have the same blocks and counts.
typedef struct {
  ospri_side_t source, target;
} ospri_strided_t;

/// From A1's arguments. Returns false if they make no sense.
bool ospri_strided(ospri_strided_t* strided, int levels, const int* blocks, void* source, const int* source_strides,
                   void* target, const int* target_strides);

unsigned ospri_block_count(const ospri_side_t* side);
uint64_t ospri_side_bytes(const ospri_side_t* side);

/// A walk over the blocks, the first level fastest.
typedef struct {
  const ospri_side_t* side;
  char* at;
  uint32_t index[OSPRI_LEVELS];
} ospri_walk_t;

/// Begins at block number `first`.
void ospri_walk_begin(ospri_walk_t* walk, const ospri_side_t* side, unsigned first);
void ospri_walk_next_level(ospri_walk_t* walk);

/// On to the next block.
static inline void ospri_walk_next(ospri_walk_t* walk) {
  if (walk->side->levels != 0 && ++walk->index[0] < walk->side->level[0].count) {
    walk->at += walk->side->level[0].stride;
  } else {
    ospri_walk_next_level(walk);
  }
}

/// Copies `blocks` blocks from block number `first` on between strided and contiguous memory; packing returns the end
/// of the latter.
char* ospri_pack(char* packed, const ospri_side_t* side, unsigned first, unsigned blocks);
void ospri_unpack(const ospri_side_t* side, unsigned first, unsigned blocks, const char* packed);

/// Copies all of one side to the other, in this process's memory.
void ospri_copy_strided(const ospri_strided_t* strided);

#ifdef __cplusplus
}
#endif

#endif
