// SPDX-License-Identifier: Apache-2.0
/// Records what this process waits for, for the machine's report of jobs that do not end (hw/kernel/kernel_abi.h). For
/// the layer and the libraries above it.
#ifndef TOROID_FIRMWARE_MSGLAYER_ACTIVITY_H
#define TOROID_FIRMWARE_MSGLAYER_ACTIVITY_H

#include <stdint.h>

#include "hw/kernel/kernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct toroid_activity toroid_activity;

/// `what` and strings among the arguments must exist until the wait ends.
static inline void bglml_say_waiting(const char* what, uint32_t first, uint32_t second, uint32_t third,
                                     uint32_t fourth) {
  toroid_activity.arguments[0] = first;
  toroid_activity.arguments[1] = second;
  toroid_activity.arguments[2] = third;
  toroid_activity.arguments[3] = fourth;
  toroid_activity.what = (uint32_t)(uintptr_t)what;
}

static inline void bglml_say_done(void) {
  toroid_activity.what = 0;
}

#ifdef __cplusplus
}
#endif

#endif
