// SPDX-License-Identifier: Apache-2.0
/// The arithmetic of accumulates and of atomic operations.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_SCALING_H
#define TOROID_FIRMWARE_OSPRI_DCMF_SCALING_H

#include <a1.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/ospri/dcmf/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Types beside those of a1.h, which the ARMCI above has.
enum { OSPRI_COMPLEX_FLOAT = A1_DOUBLE + 1, OSPRI_COMPLEX_DOUBLE };

typedef struct {
  unsigned type;
  unsigned char value[OSPRI_SCALING_BYTES];  ///< of that type
} ospri_scaling_t;

/// Bytes of an element; 0 if there is no such type.
unsigned ospri_type_bytes(int type);

/// target = target + scaling * source.
void ospri_add_scaled(void* target, const void* source, size_t bytes, unsigned type, const unsigned char* scaling);

void ospri_xor(void* target, const void* source, size_t bytes);

/// *result = *place; then place is added to, or set to, the operand.
void ospri_apply_rmw(void* place, const void* operand, void* result, unsigned bytes, unsigned operation, unsigned type);

#ifdef __cplusplus
}
#endif

#endif
