// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/accumulate.h"

#include "firmware/armci/bottom.h"
#include "firmware/armci/include/armci.h"

/// Addresses come from programs and from packets: nothing is known of their alignment.
#define UNALIGNED __attribute__((aligned(1), may_alias))
typedef float UNALIGNED element_float;
typedef double UNALIGNED element_double;
/// Sums of integers wrap.
typedef unsigned UNALIGNED wrapping_int;
typedef unsigned long UNALIGNED wrapping_long;

#define REAL(NAME, TYPE)                                                                               \
  static void accumulate_##NAME(const void* scale, void* to_bytes, const void* from_bytes, size_t n) { \
    const TYPE factor = *(const TYPE*)scale;                                                           \
    TYPE* const to = to_bytes;                                                                         \
    const TYPE* const from = from_bytes;                                                               \
    if (factor == 1) {                                                                                 \
      for (size_t i = 0; i < n; ++i) to[i] += from[i];                                                 \
    } else {                                                                                           \
      for (size_t i = 0; i < n; ++i) to[i] += factor * from[i];                                        \
    }                                                                                                  \
  }

#define COMPLEX(NAME, TYPE)                                                                            \
  static void accumulate_##NAME(const void* scale, void* to_bytes, const void* from_bytes, size_t n) { \
    const TYPE real = ((const TYPE*)scale)[0], imaginary = ((const TYPE*)scale)[1];                    \
    TYPE* const to = to_bytes;                                                                         \
    const TYPE* const from = from_bytes;                                                               \
    for (size_t i = 0; i < 2 * n; i += 2) {                                                            \
      to[i] += real * from[i] - imaginary * from[i + 1];                                               \
      to[i + 1] += real * from[i + 1] + imaginary * from[i];                                           \
    }                                                                                                  \
  }

REAL(int, wrapping_int)
REAL(long, wrapping_long)
REAL(float, element_float)
REAL(any_double, element_double)
COMPLEX(complex, element_float)
COMPLEX(double_complex, element_double)

static void accumulate_double(const void* scale, void* to, const void* from, size_t n) {
  if (armcib_add_doubles != NULL && *(const element_double*)scale == 1) {
    armcib_add_doubles(to, from, n);
  } else {
    accumulate_any_double(scale, to, from, n);
  }
}

static const struct {
  size_t bytes;
  void (*accumulate)(const void* scale, void* to, const void* from, size_t n);
} kOperations[] = {
    [ARMCI_ACC_INT - ARMCI_ACC_OFF] = {sizeof(int), accumulate_int},
    [ARMCI_ACC_DBL - ARMCI_ACC_OFF] = {sizeof(double), accumulate_double},
    [ARMCI_ACC_FLT - ARMCI_ACC_OFF] = {sizeof(float), accumulate_float},
    [ARMCI_ACC_CPL - ARMCI_ACC_OFF] = {2 * sizeof(float), accumulate_complex},
    [ARMCI_ACC_DCP - ARMCI_ACC_OFF] = {2 * sizeof(double), accumulate_double_complex},
    [ARMCI_ACC_LNG - ARMCI_ACC_OFF] = {sizeof(long), accumulate_long},
};

size_t armcii_acc_element(int operation) {
  if (operation <= ARMCI_ACC_OFF || operation > ARMCI_ACC_LNG) return 0;
  return kOperations[operation - ARMCI_ACC_OFF].bytes;
}

void armcii_accumulate(int operation, const void* scale, void* to, const void* from, size_t bytes) {
  const size_t element = armcii_acc_element(operation);
  kOperations[operation - ARMCI_ACC_OFF].accumulate(scale, to, from, bytes / element);
}
