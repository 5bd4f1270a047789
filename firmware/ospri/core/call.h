// SPDX-License-Identifier: Apache-2.0
/// What the functions of a1.h have in common: they check their arguments, take the lock, and call the device.
#ifndef TOROID_FIRMWARE_OSPRI_CORE_CALL_H
#define TOROID_FIRMWARE_OSPRI_CORE_CALL_H

#include <a1.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/lock.h"

/// The handle of a blocking call.
#define ORDERED_HANDLE \
  { .pending = 0, .ordered = true }

static inline bool is_rank(int rank) {
  return rank >= 0 && (unsigned)rank < ospri.size;
}

static inline bool is_world(const A1_group_t* group) {
  return group == A1_GROUP_WORLD;
}

static inline bool is_handle(A1_handle_t handle) {
  const ospri_handle_t* const given = handle;
  return given >= ospri.handles && given < ospri.handles + ospri.settings.handles && given->used;
}

/// Returns false if there is no such type, or no scaling.
bool ospri_make_scaling(ospri_scaling_t* scaling, A1_datatype_t type, const void* value);

/// Waits with the lock held, and gives it back.
int ospri_wait_and_exit(const ospri_handle_t* handle);

#endif
