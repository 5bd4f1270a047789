// SPDX-License-Identifier: Apache-2.0
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_FATAL_H
#define TOROID_FIRMWARE_OSPRI_DCMF_FATAL_H

#ifdef __cplusplus
extern "C" {
#endif

/// Ends the process with "OSPRI: rank 3: ..." on standard error.
void ospri_fatal(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/// Memory aligned to 16 bytes, zeroed; ends the process if there is none.
void* ospri_allocate(unsigned long bytes);

#ifdef __cplusplus
}
#endif

#endif
