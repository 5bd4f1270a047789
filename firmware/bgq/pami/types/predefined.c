// SPDX-License-Identifier: Apache-2.0
// The types that every program has: one contiguous element.
#include "firmware/bgq/pami/types/layout.h"

typedef struct {
  int value, place;
} two_ints_t;
typedef struct {
  float value, place;
} two_floats_t;
typedef struct {
  double value, place;
} two_doubles_t;
typedef struct {
  short value;
  int place;
} short_int_t;
typedef struct {
  float value;
  int place;
} float_int_t;
typedef struct {
  double value;
  int place;
} double_int_t;
typedef struct {
  long value;
  int place;
} long_int_t;
typedef struct {
  long double value;
  int place;
} longdouble_int_t;

#define TYPE(name, kind, of)                                                                             \
  static pami_layout_t layout_##name = {                                                                 \
      {PAMI_LAYOUT_MAGIC, PAMI_ELEMENT_##kind, 1, 1, sizeof(of), sizeof(of), sizeof(of), sizeof(of), 1}, \
      1,                                                                                                 \
      &layout_##name.own,                                                                                \
      {0, sizeof(of), sizeof(of), 1, 0},                                                                 \
      true,                                                                                              \
      NULL};                                                                                             \
  pami_type_t PAMI_TYPE_##name = &layout_##name

pami_type_t PAMI_TYPE_NULL = NULL;
TYPE(BYTE, RAW, char);
TYPE(SIGNED_CHAR, SIGNED_CHAR, signed char);
TYPE(UNSIGNED_CHAR, UNSIGNED_CHAR, unsigned char);
TYPE(SIGNED_SHORT, SIGNED_SHORT, short);
TYPE(UNSIGNED_SHORT, UNSIGNED_SHORT, unsigned short);
TYPE(SIGNED_INT, SIGNED_INT, int);
TYPE(UNSIGNED_INT, UNSIGNED_INT, unsigned);
TYPE(SIGNED_LONG, SIGNED_LONG, long);
TYPE(UNSIGNED_LONG, UNSIGNED_LONG, unsigned long);
TYPE(SIGNED_LONG_LONG, SIGNED_LONG, long long);
TYPE(UNSIGNED_LONG_LONG, UNSIGNED_LONG, unsigned long long);
TYPE(FLOAT, FLOAT, float);
TYPE(DOUBLE, DOUBLE, double);
TYPE(LONG_DOUBLE, LONG_DOUBLE, long double);
TYPE(LOGICAL1, LOGICAL1, uint8_t);
TYPE(LOGICAL2, LOGICAL2, uint16_t);
TYPE(LOGICAL4, LOGICAL4, uint32_t);
TYPE(LOGICAL8, LOGICAL8, uint64_t);
TYPE(SINGLE_COMPLEX, SINGLE_COMPLEX, float[2]);
TYPE(DOUBLE_COMPLEX, DOUBLE_COMPLEX, double[2]);
TYPE(LOC_2INT, LOC_2INT, two_ints_t);
TYPE(LOC_2FLOAT, LOC_2FLOAT, two_floats_t);
TYPE(LOC_2DOUBLE, LOC_2DOUBLE, two_doubles_t);
TYPE(LOC_SHORT_INT, LOC_SHORT_INT, short_int_t);
TYPE(LOC_FLOAT_INT, LOC_FLOAT_INT, float_int_t);
TYPE(LOC_DOUBLE_INT, LOC_DOUBLE_INT, double_int_t);
TYPE(LOC_LONG_INT, LOC_LONG_INT, long_int_t);
TYPE(LOC_LONGDOUBLE_INT, LOC_LONGDOUBLE_INT, longdouble_int_t);
