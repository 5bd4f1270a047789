// SPDX-License-Identifier: Apache-2.0
// What the predefined data functions do to elements of a type.
#ifndef TOROID_PAMI_TYPES_OPERATIONS_H
#define TOROID_PAMI_TYPES_OPERATIONS_H

#include "firmware/bgq/pami/types/layout.h"

// The predefined functions are numbers below PAMI_OPERATION_COUNT in the place of addresses: what they do depends on
// the type, which a pami_data_function is not given. Programs hand them on and never call them.
typedef enum {
  PAMI_OPERATION_NONE,
  PAMI_OPERATION_COPY,
  PAMI_OPERATION_NOOP,
  PAMI_OPERATION_MAX,
  PAMI_OPERATION_MIN,
  PAMI_OPERATION_SUM,
  PAMI_OPERATION_PROD,
  PAMI_OPERATION_LAND,
  PAMI_OPERATION_LOR,
  PAMI_OPERATION_LXOR,
  PAMI_OPERATION_BAND,
  PAMI_OPERATION_BOR,
  PAMI_OPERATION_BXOR,
  PAMI_OPERATION_MAXLOC,
  PAMI_OPERATION_MINLOC,
  PAMI_OPERATION_COUNT
} pami_operation_t;

// The number of a predefined function; PAMI_OPERATION_COUNT for a program's own function.
pami_operation_t pami_operation(pami_data_function function);

// Bytes of an element; 1 for raw ones.
size_t pami_element_bytes(pami_element_t element);

// Whether pami_combine() can do it: a program's own function always.
bool pami_can_combine(pami_data_function function, pami_type_t type);

// target = target (op) source, for `bytes` contiguous bytes of the type's elements.
void pami_combine(void* target, const void* source, size_t bytes, pami_type_t type, pami_data_function function,
                  void* cookie);

#endif
