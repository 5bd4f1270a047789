// SPDX-License-Identifier: Apache-2.0
/// The communication helper thread: makes progress while the program computes.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_HELPER_H
#define TOROID_FIRMWARE_OSPRI_DCMF_HELPER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns false if the process has no core for it.
bool ospri_start_helper(void);

/// To be called without the lock.
void ospri_stop_helper(void);

#ifdef __cplusplus
}
#endif

#endif
