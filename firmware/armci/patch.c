// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/patch.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/hot.h"

HOT_OF_PUTS int armcii_patch_make(armcii_patch_t* patch, void* local, const int local_strides[], void* remote,
                                  const int remote_strides[], const int count[], int levels) {
  if (local == NULL || remote == NULL || count == NULL) return FAIL;
  if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) return FAIL4;
  if (levels > 0 && (local_strides == NULL || remote_strides == NULL)) return FAIL;
  for (int i = 0; i <= levels; ++i) {
    if (count[i] < 0) return FAIL3;
  }
  armcii_patch_line(patch, local, remote, (size_t)count[0]);
  for (int i = 0; i < levels; ++i) {
    const uint32_t segments = (uint32_t)count[i + 1];
    patch->rows *= segments;
    if (segments == 1) continue;
    const bool adjoin = local_strides[i] == remote_strides[i] && (size_t)local_strides[i] == patch->bytes;
    if (adjoin && patch->levels == 0 && local_strides[i] > 0 && segments > 0) {
      patch->bytes *= segments;
      patch->rows /= segments;
      continue;
    }
    patch->level[patch->levels].count = segments;
    patch->level[patch->levels].local_stride = local_strides[i];
    patch->level[patch->levels].remote_stride = remote_strides[i];
    ++patch->levels;
  }
  return 0;
}

HOT void armcii_patch_line(armcii_patch_t* patch, void* local, void* remote, size_t bytes) {
  patch->local = local;
  patch->remote = (uintptr_t)remote;
  patch->bytes = bytes;
  patch->rows = bytes != 0;
  patch->levels = 0;
}

HOT_OF_PUTS bool armcii_patch_is_apart(const armcii_patch_t* patch) {
  // From the shortest stride on, each must go beyond all that the shorter ones reach.
  uint64_t extent = patch->bytes;
  bool taken[ARMCI_MAX_STRIDE_LEVEL] = {false};
  for (unsigned i = 0; i < patch->levels; ++i) {
    unsigned shortest = patch->levels;
    for (unsigned k = 0; k < patch->levels; ++k) {
      if (taken[k]) continue;
      if (shortest == patch->levels || labs(patch->level[k].remote_stride) < labs(patch->level[shortest].remote_stride))
        shortest = k;
    }
    taken[shortest] = true;
    const uint64_t stride = (uint64_t)labs(patch->level[shortest].remote_stride);
    if (stride < extent) return false;
    extent += stride * (patch->level[shortest].count - 1);
  }
  return true;
}

HOT_OF_RMA armcii_walk_t armcii_walk_from(const armcii_patch_t* patch, uint32_t row) {
  armcii_walk_t walk = {.patch = patch, .local = patch->local, .remote = patch->remote};
  for (unsigned i = 0; i < patch->levels && row != 0; ++i) {
    walk.at[i] = row % patch->level[i].count;
    row /= patch->level[i].count;
    walk.local += (ptrdiff_t)patch->level[i].local_stride * (ptrdiff_t)walk.at[i];
    walk.remote += (uintptr_t)((intptr_t)patch->level[i].remote_stride * (intptr_t)walk.at[i]);
  }
  return walk;
}

void armcii_walk_next_level(armcii_walk_t* walk) {
  const armcii_patch_t* const patch = walk->patch;
  for (unsigned i = 0; walk->at[i] == patch->level[i].count; ++i) {
    // Behind the last row a walk is nowhere.
    if (i + 1 == patch->levels) return;
    walk->at[i] = 0;
    walk->local +=
        patch->level[i + 1].local_stride - (ptrdiff_t)patch->level[i].local_stride * (ptrdiff_t)patch->level[i].count;
    walk->remote += (uintptr_t)(patch->level[i + 1].remote_stride -
                                (intptr_t)patch->level[i].remote_stride * (intptr_t)patch->level[i].count);
    ++walk->at[i + 1];
  }
}

void armcii_pack(const armcii_patch_t* patch, uint32_t first, uint32_t rows, void* buffer) {
  uint8_t* to = buffer;
  armcii_walk_t walk = armcii_walk_from(patch, first);
  for (; rows != 0; --rows, to += patch->bytes) {
    memcpy(to, walk.local, patch->bytes);
    armcii_walk_next(&walk);
  }
}

void armcii_unpack(const armcii_patch_t* patch, uint32_t first, uint32_t rows, const void* buffer) {
  const uint8_t* from = buffer;
  armcii_walk_t walk = armcii_walk_from(patch, first);
  for (; rows != 0; --rows, from += patch->bytes) {
    memcpy(walk.local, from, patch->bytes);
    armcii_walk_next(&walk);
  }
}

size_t armcii_patch_header(armcii_patch_header_t* header, armcii_kind_t kind, const armcii_patch_t* patch,
                           uint32_t first, uint32_t rows) {
  header->kind = (uint8_t)kind;
  header->levels = (uint8_t)patch->levels;
  header->operation = 0;
  header->bytes = (uint32_t)patch->bytes;
  header->first = first;
  header->rows = rows;
  header->address = patch->remote;
  memset(header->scale, 0, sizeof header->scale);
  for (unsigned i = 0; i < patch->levels; ++i) {
    header->level[i].count = patch->level[i].count;
    header->level[i].stride = patch->level[i].remote_stride;
  }
  return offsetof(armcii_patch_header_t, level) + patch->levels * sizeof header->level[0];
}

void armcii_patch_of(armcii_patch_t* patch, const armcii_patch_header_t* header) {
  patch->local = (uint8_t*)(uintptr_t)header->address;
  patch->remote = 0;
  patch->bytes = header->bytes;
  patch->rows = header->rows;
  patch->levels = header->levels;
  for (unsigned i = 0; i < patch->levels; ++i) {
    patch->level[i].count = header->level[i].count;
    patch->level[i].local_stride = header->level[i].stride;
    patch->level[i].remote_stride = 0;
  }
}
