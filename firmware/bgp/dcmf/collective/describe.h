// SPDX-License-Identifier: Apache-2.0
/// Collective operations in words, for errors.
#ifndef TOROID_FIRMWARE_DCMF_DESCRIBE_H
#define TOROID_FIRMWARE_DCMF_DESCRIBE_H

#include "firmware/bgp/dcmf/collective/networks.h"

#ifdef __cplusplus
extern "C" {
#endif

/// "a broadcast of 8 bytes from rank 0".
void dcmf_describe_operation(char* text, size_t size, const dcmf_collective_t* collective);
/// "operation 3 of geometry 1".
void dcmf_name_operation(char* text, size_t size, uint32_t geometry, uint32_t operation);

#ifdef __cplusplus
}
#endif

#endif
