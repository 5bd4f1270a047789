// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/reduction.h"

#include <string.h>

#include "firmware/armci/include/message.h"

armcii_operation_t armcii_operation(const char* name) {
  // Programs in Fortran pass names without an end: what begins with a name has it. Longer names come first.
  static const struct {
    const char* name;
    armcii_operation_t operation;
  } kNames[] = {
      {"absmax", ARMCII_ABSMAX}, {"absmin", ARMCII_ABSMIN}, {"max", ARMCII_MAX},   {"min", ARMCII_MIN},
      {"+", ARMCII_SUM},         {"*", ARMCII_PRODUCT},     {"&&", ARMCII_AND},    {"land", ARMCII_AND},
      {"||", ARMCII_OR},         {"lor", ARMCII_OR},        {"&", ARMCII_BIT_AND}, {"band", ARMCII_BIT_AND},
      {"|", ARMCII_BIT_OR},      {"bor", ARMCII_BIT_OR},    {"or", ARMCII_BIT_OR},
  };
  for (size_t i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    if (strncmp(name, kNames[i].name, strlen(kNames[i].name)) == 0) return kNames[i].operation;
  }
  return ARMCII_OPERATIONS;
}

#define ABSOLUTE(x) ((x) < 0 ? -(x) : (x))
#define EACH(EXPRESSION)           \
  for (size_t i = 0; i < n; ++i) { \
    x[i] = EXPRESSION;             \
  }                                \
  return 0

/// WHOLE: the cases that integers have besides.
#define COMBINE(NAME, TYPE, WHOLE)                                                            \
  static int combine_##NAME(armcii_operation_t operation, TYPE* x, const TYPE* y, size_t n) { \
    switch (operation) {                                                                      \
      case ARMCII_ABSMAX:                                                                     \
        EACH(ABSOLUTE(x[i]) > ABSOLUTE(y[i]) ? ABSOLUTE(x[i]) : ABSOLUTE(y[i]));              \
      case ARMCII_ABSMIN:                                                                     \
        EACH(ABSOLUTE(x[i]) < ABSOLUTE(y[i]) ? ABSOLUTE(x[i]) : ABSOLUTE(y[i]));              \
      case ARMCII_MAX:                                                                        \
        EACH(x[i] > y[i] ? x[i] : y[i]);                                                      \
      case ARMCII_MIN:                                                                        \
        EACH(x[i] < y[i] ? x[i] : y[i]);                                                      \
        WHOLE                                                                                 \
      default:                                                                                \
        return -1;                                                                            \
    }                                                                                         \
  }
/// Sums and products of integers wrap.
#define WHOLE(TYPE)                                          \
  case ARMCII_SUM:                                           \
    EACH((TYPE)((unsigned TYPE)x[i] + (unsigned TYPE)y[i])); \
  case ARMCII_PRODUCT:                                       \
    EACH((TYPE)((unsigned TYPE)x[i] * (unsigned TYPE)y[i])); \
  case ARMCII_AND:                                           \
    EACH(x[i] && y[i]);                                      \
  case ARMCII_OR:                                            \
    EACH(x[i] || y[i]);                                      \
  case ARMCII_BIT_AND:                                       \
    EACH(x[i] & y[i]);                                       \
  case ARMCII_BIT_OR:                                        \
    EACH(x[i] | y[i]);
#define REAL           \
  case ARMCII_SUM:     \
    EACH(x[i] + y[i]); \
  case ARMCII_PRODUCT: \
    EACH(x[i] * y[i]);

COMBINE(int, int, WHOLE(int))
COMBINE(long, long, WHOLE(long))
COMBINE(long_long, long long, WHOLE(long long))
COMBINE(float, float, REAL)
COMBINE(double, double, REAL)

size_t armcii_type_bytes(int type) {
  switch (type) {
    case ARMCI_INT:
      return sizeof(int);
    case ARMCI_LONG:
      return sizeof(long);
    case ARMCI_LONG_LONG:
      return sizeof(long long);
    case ARMCI_FLOAT:
      return sizeof(float);
    case ARMCI_DOUBLE:
      return sizeof(double);
    default:
      return 0;
  }
}

int armcii_combine(armcii_operation_t operation, int type, void* x, const void* y, size_t n) {
  switch (type) {
    case ARMCI_INT:
      return combine_int(operation, x, y, n);
    case ARMCI_LONG:
      return combine_long(operation, x, y, n);
    case ARMCI_LONG_LONG:
      return combine_long_long(operation, x, y, n);
    case ARMCI_FLOAT:
      return combine_float(operation, x, y, n);
    case ARMCI_DOUBLE:
      return combine_double(operation, x, y, n);
    default:
      return -1;
  }
}

#define COMPARE(TYPE)                                                 \
  do {                                                                \
    TYPE first, second;                                               \
    memcpy(&first, x, sizeof first);                                  \
    memcpy(&second, y, sizeof second);                                \
    return operation == ARMCII_MAX ? first > second : first < second; \
  } while (0)

int armcii_precedes(armcii_operation_t operation, int type, const void* x, const void* y) {
  switch (type) {
    case ARMCI_INT:
      COMPARE(int);
    case ARMCI_LONG:
      COMPARE(long);
    case ARMCI_LONG_LONG:
      COMPARE(long long);
    case ARMCI_FLOAT:
      COMPARE(float);
    default:
      COMPARE(double);
  }
}
