// SPDX-License-Identifier: Apache-2.0
/// Strided patches: rows of contiguous bytes, in this process's memory and in a target's, and walks over them.
#ifndef TOROID_FIRMWARE_ARMCI_PATCH_H
#define TOROID_FIRMWARE_ARMCI_PATCH_H

#include "firmware/armci/requests.h"

typedef struct {
  uint8_t* local;
  uintptr_t remote;
  size_t bytes;  ///< of a row
  uint32_t rows;
  unsigned levels;
  struct {
    uint32_t count;
    int32_t local_stride, remote_stride;
  } level[ARMCI_MAX_STRIDE_LEVEL];
} armcii_patch_t;

/// The patch that the arguments of a strided function state, on as few levels as there can be. Returns 0 or the error
/// of a public function. A patch without bytes has no rows.
int armcii_patch_make(armcii_patch_t* patch, void* local, const int local_strides[], void* remote,
                      const int remote_strides[], const int count[], int levels);
/// A contiguous one.
void armcii_patch_line(armcii_patch_t* patch, void* local, void* remote, size_t bytes);

/// Whether rows of the remote side are known to have no byte in common.
bool armcii_patch_is_apart(const armcii_patch_t* patch);

/// Where a walk is: at a row.
typedef struct {
  const armcii_patch_t* patch;
  uint8_t* local;
  uintptr_t remote;
  uint32_t at[ARMCI_MAX_STRIDE_LEVEL];
} armcii_walk_t;

armcii_walk_t armcii_walk_from(const armcii_patch_t* patch, uint32_t row);
void armcii_walk_next_level(armcii_walk_t* walk);

static inline void armcii_walk_next(armcii_walk_t* walk) {
  if (walk->patch->levels == 0) return;
  walk->local += walk->patch->level[0].local_stride;
  walk->remote += (uintptr_t)(intptr_t)walk->patch->level[0].remote_stride;
  if (++walk->at[0] == walk->patch->level[0].count) armcii_walk_next_level(walk);
}

/// Copy rows of the local side to contiguous memory, and back.
void armcii_pack(const armcii_patch_t* patch, uint32_t first, uint32_t rows, void* buffer);
void armcii_unpack(const armcii_patch_t* patch, uint32_t first, uint32_t rows, const void* buffer);

/// The patch as a request names it; returns the header's size.
size_t armcii_patch_header(armcii_patch_header_t* header, armcii_kind_t kind, const armcii_patch_t* patch,
                           uint32_t first, uint32_t rows);
/// At the target: its memory is the local side.
void armcii_patch_of(armcii_patch_t* patch, const armcii_patch_header_t* header);

#endif
