// SPDX-License-Identifier: Apache-2.0
/// What this process waits for, for the machine's report of jobs that do not end (hw/kernel/kernel_abi.h). For the
/// layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_ACTIVITY_H
#define TOROID_FIRMWARE_MSGLAYER_ACTIVITY_H

#include <stdint.h>

#include "hw/kernel/kernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct toroid_activity toroid_activity;

/// `what` outlives the waiting; the others may be TOROID_ACTIVITY_NONE.
static inline void bglml_say_waiting(const char* what, uint32_t number, uint32_t tree_class, uint32_t peer) {
  toroid_activity.number = number;
  toroid_activity.tree_class = tree_class;
  toroid_activity.peer = peer;
  toroid_activity.what = (uint32_t)(uintptr_t)what;
}

static inline void bglml_say_done(void) {
  toroid_activity.what = 0;
}

#ifdef __cplusplus
}
#endif

#endif
