// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/strided.h"

#include <string.h>

/// Leaves out levels of one block, and those whose blocks touch each other on both sides: fewer and longer blocks.
static void simplify(ospri_strided_t* strided) {
  unsigned levels = 0;
  for (unsigned i = 0; i < strided->source.levels; ++i) {
    const ospri_level_t from = strided->source.level[i], to = strided->target.level[i];
    if (from.count == 1) continue;
    const uint64_t bytes = (uint64_t)strided->source.block * from.count;
    const bool touching = from.stride == (int64_t)strided->source.block && to.stride == from.stride;
    if (levels == 0 && touching && bytes <= INT32_MAX) {
      strided->source.block = strided->target.block = (unsigned)bytes;
      continue;
    }
    strided->source.level[levels] = from;
    strided->target.level[levels++] = to;
  }
  strided->source.levels = strided->target.levels = levels;
}

bool ospri_strided(ospri_strided_t* strided, int levels, const int* blocks, void* source, const int* source_strides,
                   void* target, const int* target_strides) {
  if (levels < 0 || levels > OSPRI_LEVELS || !blocks || blocks[0] < 0) return false;
  if (levels > 0 && (!source_strides || !target_strides)) return false;
  uint64_t count = 1;
  for (int i = 0; i < levels; ++i) {
    if (blocks[i + 1] < 0) return false;
    count *= (unsigned)blocks[i + 1];
    if (count > UINT32_MAX) return false;
    strided->source.level[i] = (ospri_level_t){(uint32_t)blocks[i + 1], source_strides[i]};
    strided->target.level[i] = (ospri_level_t){(uint32_t)blocks[i + 1], target_strides[i]};
  }
  strided->source.base = source;
  strided->target.base = target;
  strided->source.block = strided->target.block = (unsigned)blocks[0];
  strided->source.levels = strided->target.levels = (unsigned)levels;
  simplify(strided);
  return true;
}

unsigned ospri_block_count(const ospri_side_t* side) {
  unsigned count = 1;
  for (unsigned i = 0; i < side->levels; ++i) count *= side->level[i].count;
  return count;
}

uint64_t ospri_side_bytes(const ospri_side_t* side) {
  return (uint64_t)ospri_block_count(side) * side->block;
}

void ospri_walk_begin(ospri_walk_t* walk, const ospri_side_t* side, unsigned first) {
  walk->side = side;
  walk->at = side->base;
  for (unsigned i = 0; i < side->levels; ++i) {
    const unsigned index = first % side->level[i].count;
    first /= side->level[i].count;
    walk->index[i] = index;
    walk->at += (ptrdiff_t)side->level[i].stride * (ptrdiff_t)index;
  }
}

void ospri_walk_next_level(ospri_walk_t* walk) {
  const ospri_side_t* const side = walk->side;
  for (unsigned i = 0; i < side->levels; ++i) {
    const ospri_level_t* const level = &side->level[i];
    if (i > 0 && ++walk->index[i] < level->count) {
      walk->at += level->stride;
      return;
    }
    // Back to the first of this level.
    walk->at -= (ptrdiff_t)level->stride * (ptrdiff_t)(level->count - 1);
    walk->index[i] = 0;
  }
}

char* ospri_pack(char* packed, const ospri_side_t* side, unsigned first, unsigned blocks) {
  ospri_walk_t walk;
  ospri_walk_begin(&walk, side, first);
  for (unsigned i = 0; i < blocks; ++i) {
    memcpy(packed, walk.at, side->block);
    packed += side->block;
    ospri_walk_next(&walk);
  }
  return packed;
}

void ospri_unpack(const ospri_side_t* side, unsigned first, unsigned blocks, const char* packed) {
  ospri_walk_t walk;
  ospri_walk_begin(&walk, side, first);
  for (unsigned i = 0; i < blocks; ++i) {
    memcpy(walk.at, packed, side->block);
    packed += side->block;
    ospri_walk_next(&walk);
  }
}

void ospri_copy_strided(const ospri_strided_t* strided) {
  const unsigned blocks = ospri_block_count(&strided->source);
  ospri_walk_t from, to;
  if (blocks == 0) return;
  ospri_walk_begin(&from, &strided->source, 0);
  ospri_walk_begin(&to, &strided->target, 0);
  for (unsigned i = 0; i < blocks; ++i) {
    memmove(to.at, from.at, strided->source.block);
    ospri_walk_next(&from);
    ospri_walk_next(&to);
  }
}
