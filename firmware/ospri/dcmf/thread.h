// SPDX-License-Identifier: Apache-2.0
/// A thread beside the program's own, and passing time. Tests have an implementation of their own.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_THREAD_H
#define TOROID_FIRMWARE_OSPRI_DCMF_THREAD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns false if the process has no core for it.
bool ospri_start_thread(void (*body)(void));

/// Waits for its end.
void ospri_join_thread(void);

/// Waits for about so many cycles without touching memory.
void ospri_pause(unsigned cycles);

#ifdef __cplusplus
}
#endif

#endif
