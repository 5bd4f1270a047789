// SPDX-License-Identifier: Apache-2.0
// What predefined operations do to each kind of element. The standard says which pairs there are; MPI_CHAR, which it
// leaves out, is taken as the compiler's char, for programs that reduce it all the same.
#include <stddef.h>

#include "firmware/mpi/op.h"

#define DEFINE(name, type, expression)                              \
  static void name(const void* in, void* inout, uint32_t count) {   \
    const type* a = in;                                             \
    type* b = inout;                                                \
    for (uint32_t i = 0; i < count; ++i) b[i] = (type)(expression); \
  }

/// Of order.
#define ORDERED(kind, type)                           \
  DEFINE(max_##kind, type, a[i] > b[i] ? a[i] : b[i]) \
  DEFINE(min_##kind, type, a[i] < b[i] ? a[i] : b[i])
/// Of arithmetic.
#define NUMBER(kind, type)              \
  DEFINE(sum_##kind, type, a[i] + b[i]) \
  DEFINE(prod_##kind, type, a[i] * b[i])
/// Of words, signed or not: arithmetic modulo their size. The product of short ones would overflow as an int.
#define WORD(kind, type)                               \
  DEFINE(sum_##kind, type, a[i] + b[i])                \
  DEFINE(prod_##kind, type, UINT64_C(1) * a[i] * b[i]) \
  DEFINE(band_##kind, type, a[i] & b[i])               \
  DEFINE(bor_##kind, type, a[i] | b[i])                \
  DEFINE(bxor_##kind, type, a[i] ^ b[i])               \
  DEFINE(land_##kind, type, a[i] != 0 && b[i] != 0)    \
  DEFINE(lor_##kind, type, a[i] != 0 || b[i] != 0)     \
  DEFINE(lxor_##kind, type, (a[i] != 0) != (b[i] != 0))
/// Of a value and its place: where two values are equal, the lower place.
#define PLACED(kind, value_type, index_type)                                                             \
  typedef struct {                                                                                       \
    value_type value;                                                                                    \
    index_type index;                                                                                    \
  } kind##_t;                                                                                            \
  static void maxloc_##kind(const void* in, void* inout, uint32_t count) {                               \
    const kind##_t* a = in;                                                                              \
    kind##_t* b = inout;                                                                                 \
    for (uint32_t i = 0; i < count; ++i) {                                                               \
      if (a[i].value > b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index)) b[i] = a[i]; \
    }                                                                                                    \
  }                                                                                                      \
  static void minloc_##kind(const void* in, void* inout, uint32_t count) {                               \
    const kind##_t* a = in;                                                                              \
    kind##_t* b = inout;                                                                                 \
    for (uint32_t i = 0; i < count; ++i) {                                                               \
      if (a[i].value < b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index)) b[i] = a[i]; \
    }                                                                                                    \
  }

ORDERED(char, char)
ORDERED(int8, int8_t)
ORDERED(uint8, uint8_t)
ORDERED(int16, int16_t)
ORDERED(uint16, uint16_t)
ORDERED(int32, int32_t)
ORDERED(uint32, uint32_t)
ORDERED(int64, int64_t)
ORDERED(uint64, uint64_t)
ORDERED(float32, float)
ORDERED(float64, double)
ORDERED(float128, long double)
WORD(uint8, uint8_t)
WORD(uint16, uint16_t)
WORD(uint32, uint32_t)
WORD(uint64, uint64_t)
NUMBER(float32, float)
NUMBER(float64, double)
NUMBER(float128, long double)
NUMBER(complex64, float _Complex)
NUMBER(complex128, double _Complex)
NUMBER(complex256, long double _Complex)
PLACED(float_int, float, int)
PLACED(double_int, double, int)
PLACED(long_int, long, int)
PLACED(int_int, int, int)
PLACED(short_int, short, int)
PLACED(long_double_int, long double, int)
PLACED(float_float, float, float)
PLACED(double_double, double, double)

/// Every kind that has the operation, under its own function or that of a kind with the same bits.
#define OF_ORDER(op)                                                                                              \
  [MPII_CHARACTER] = op##_char, [MPII_INT8] = op##_int8, [MPII_UINT8] = op##_uint8, [MPII_INT16] = op##_int16,    \
  [MPII_UINT16] = op##_uint16, [MPII_INT32] = op##_int32, [MPII_UINT32] = op##_uint32, [MPII_INT64] = op##_int64, \
  [MPII_UINT64] = op##_uint64, [MPII_FLOAT32] = op##_float32, [MPII_FLOAT64] = op##_float64,                      \
  [MPII_FLOAT128] = op##_float128
#define OF_INTEGERS(op)                                                                                             \
  [MPII_CHARACTER] = op##_uint8, [MPII_INT8] = op##_uint8, [MPII_UINT8] = op##_uint8, [MPII_INT16] = op##_uint16,   \
  [MPII_UINT16] = op##_uint16, [MPII_INT32] = op##_uint32, [MPII_UINT32] = op##_uint32, [MPII_INT64] = op##_uint64, \
  [MPII_UINT64] = op##_uint64
#define OF_NUMBERS(op)                                                                                            \
  OF_INTEGERS(op), [MPII_FLOAT32] = op##_float32, [MPII_FLOAT64] = op##_float64, [MPII_FLOAT128] = op##_float128, \
                   [MPII_COMPLEX64] = op##_complex64, [MPII_COMPLEX128] = op##_complex128,                        \
                   [MPII_COMPLEX256] = op##_complex256
#define OF_LOGICALS(op)                                                                                          \
  OF_INTEGERS(op), [MPII_LOGICAL8] = op##_uint8, [MPII_LOGICAL16] = op##_uint16, [MPII_LOGICAL32] = op##_uint32, \
                   [MPII_LOGICAL64] = op##_uint64
#define OF_BITS(op) OF_INTEGERS(op), [MPII_RAW] = op##_uint8
#define OF_PAIRS(op)                                                                                            \
  [MPII_FLOAT_INT] = op##_float_int, [MPII_DOUBLE_INT] = op##_double_int, [MPII_LONG_INT] = op##_long_int,      \
  [MPII_2INT] = op##_int_int, [MPII_SHORT_INT] = op##_short_int, [MPII_LONG_DOUBLE_INT] = op##_long_double_int, \
  [MPII_2REAL] = op##_float_float, [MPII_2DOUBLE] = op##_double_double

#define NUMBER_OF(op) ((op)-MPI_OP_NULL)
enum { OPERATIONS = NUMBER_OF(MPI_MINLOC) + 1 };

static const mpii_combine_t functions[OPERATIONS][MPII_BASICS] = {
    [NUMBER_OF(MPI_MAX)] = {OF_ORDER(max)},       [NUMBER_OF(MPI_MIN)] = {OF_ORDER(min)},
    [NUMBER_OF(MPI_SUM)] = {OF_NUMBERS(sum)},     [NUMBER_OF(MPI_PROD)] = {OF_NUMBERS(prod)},
    [NUMBER_OF(MPI_LAND)] = {OF_LOGICALS(land)},  [NUMBER_OF(MPI_LOR)] = {OF_LOGICALS(lor)},
    [NUMBER_OF(MPI_LXOR)] = {OF_LOGICALS(lxor)},  [NUMBER_OF(MPI_BAND)] = {OF_BITS(band)},
    [NUMBER_OF(MPI_BOR)] = {OF_BITS(bor)},        [NUMBER_OF(MPI_BXOR)] = {OF_BITS(bxor)},
    [NUMBER_OF(MPI_MAXLOC)] = {OF_PAIRS(maxloc)}, [NUMBER_OF(MPI_MINLOC)] = {OF_PAIRS(minloc)},
};

mpii_combine_t mpii_combine(MPI_Op predefined, mpii_basic_t basic) {
  const int number = NUMBER_OF(predefined);
  return number <= 0 || number >= OPERATIONS ? NULL : functions[number][basic];
}
