// SPDX-License-Identifier: Apache-2.0
/// Reductions of elements, by the names of operations and the numbers of types that message.h has.
#ifndef TOROID_FIRMWARE_ARMCI_REDUCTION_H
#define TOROID_FIRMWARE_ARMCI_REDUCTION_H

#include <stddef.h>

typedef enum {
  ARMCII_ABSMAX,
  ARMCII_ABSMIN,
  ARMCII_MAX,
  ARMCII_MIN,
  ARMCII_SUM,
  ARMCII_PRODUCT,
  ARMCII_AND,
  ARMCII_OR,
  ARMCII_BIT_AND,
  ARMCII_BIT_OR,
  ARMCII_OPERATIONS
} armcii_operation_t;

/// ARMCII_OPERATIONS: there is none of the name.
armcii_operation_t armcii_operation(const char* name);
/// 0: no such type.
size_t armcii_type_bytes(int type);
/// x = x op y. Returns 0, or -1 if the operation is not defined for the type.
int armcii_combine(armcii_operation_t operation, int type, void* x, const void* y, size_t n);
/// Whether the element at x comes before that at y: it is larger, or smaller.
int armcii_precedes(armcii_operation_t operation, int type, const void* x, const void* y);

#endif
