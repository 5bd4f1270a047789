// SPDX-License-Identifier: Apache-2.0
/// Memory that callbacks may take and give back. An interrupt may find the C library in the middle of an allocation, so
/// this does not come from there; the runtime's lock guards it. Tests have an implementation of their own.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_MEMORY_H
#define TOROID_FIRMWARE_OSPRI_DCMF_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Aligned to 16 bytes, not cleared; ends the process if there is none.
void* ospri_take_memory(size_t bytes);
void ospri_give_memory(void* memory);

#ifdef __cplusplus
}
#endif

#endif
