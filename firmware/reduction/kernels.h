// SPDX-License-Identifier: Apache-2.0
// Loops that combine two arrays into the first, `n` elements each: every operation that has a meaning for a type of C.
// A message layer includes this once and keeps the functions in a table by its own numbers. OF_... name a type's
// functions; the table defines REDUCTION(operation), the index of an operation in it.
#ifndef TOROID_FIRMWARE_REDUCTION_KERNELS_H
#define TOROID_FIRMWARE_REDUCTION_KERNELS_H

#include <stddef.h>

typedef void (*combine_t)(void* to, const void* from, size_t count);

#define COMBINE(name, type, expression)                                  \
  static void name(void* to_memory, const void* from_memory, size_t n) { \
    type* to = to_memory;                                                \
    const type* from = from_memory;                                      \
    for (size_t i = 0; i < n; ++i) {                                     \
      const type a = to[i], b = from[i];                                 \
      to[i] = (type)(expression);                                        \
    }                                                                    \
  }
#define ARITHMETIC(suffix, type)             \
  COMBINE(max_##suffix, type, a > b ? a : b) \
  COMBINE(min_##suffix, type, a < b ? a : b) \
  COMBINE(sum_##suffix, type, a + b)         \
  COMBINE(prod_##suffix, type, a* b)
#define LOGICAL(suffix, type)         \
  COMBINE(land_##suffix, type, a&& b) \
  COMBINE(lor_##suffix, type, a || b) \
  COMBINE(lxor_##suffix, type, !a != !b)
#define BITS(suffix, type)           \
  COMBINE(band_##suffix, type, a& b) \
  COMBINE(bor_##suffix, type, a | b) \
  COMBINE(bxor_##suffix, type, a ^ b)
#define INTEGER(suffix, type) ARITHMETIC(suffix, type) LOGICAL(suffix, type) BITS(suffix, type)

// Sums and products of signed integers wrap, as those of unsigned ones do.
#define SIGNED(suffix, type, wide)               \
  COMBINE(max_##suffix, type, a > b ? a : b)     \
  COMBINE(min_##suffix, type, a < b ? a : b)     \
  COMBINE(sum_##suffix, type, (wide)a + (wide)b) \
  COMBINE(prod_##suffix, type, (wide)a*(wide)b)  \
  LOGICAL(suffix, type) BITS(suffix, type)

SIGNED(sc, signed char, unsigned)
INTEGER(uc, unsigned char)
SIGNED(ss, short, unsigned)
SIGNED(us, unsigned short, unsigned)
SIGNED(si, int, unsigned)
INTEGER(ui, unsigned)
SIGNED(sl, long long, unsigned long long)
INTEGER(ul, unsigned long long)
ARITHMETIC(f, float)
ARITHMETIC(d, double)
ARITHMETIC(ld, long double)

typedef struct {
  float re, im;
} single_complex;
typedef struct {
  double re, im;
} double_complex;
#define COMPLEX(suffix, type)                                                      \
  static void sum_##suffix(void* to_memory, const void* from_memory, size_t n) {   \
    type* to = to_memory;                                                          \
    const type* from = from_memory;                                                \
    for (size_t i = 0; i < n; ++i) to[i].re += from[i].re, to[i].im += from[i].im; \
  }                                                                                \
  static void prod_##suffix(void* to_memory, const void* from_memory, size_t n) {  \
    type* to = to_memory;                                                          \
    const type* from = from_memory;                                                \
    for (size_t i = 0; i < n; ++i) {                                               \
      const type a = to[i], b = from[i];                                           \
      to[i].re = a.re * b.re - a.im * b.im;                                        \
      to[i].im = a.re * b.im + a.im * b.re;                                        \
    }                                                                              \
  }
COMPLEX(sx, single_complex)
COMPLEX(dx, double_complex)

// A value and its place; of equal values the one with the lower place.
#define LOC(suffix, value_type, place_type)                                                               \
  typedef struct {                                                                                        \
    value_type value;                                                                                     \
    place_type place;                                                                                     \
  } loc_##suffix;                                                                                         \
  static void maxloc_##suffix(void* to_memory, const void* from_memory, size_t n) {                       \
    loc_##suffix* to = to_memory;                                                                         \
    const loc_##suffix* from = from_memory;                                                               \
    for (size_t i = 0; i < n; ++i) {                                                                      \
      if (from[i].value > to[i].value || (from[i].value == to[i].value && from[i].place < to[i].place)) { \
        to[i] = from[i];                                                                                  \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  static void minloc_##suffix(void* to_memory, const void* from_memory, size_t n) {                       \
    loc_##suffix* to = to_memory;                                                                         \
    const loc_##suffix* from = from_memory;                                                               \
    for (size_t i = 0; i < n; ++i) {                                                                      \
      if (from[i].value < to[i].value || (from[i].value == to[i].value && from[i].place < to[i].place)) { \
        to[i] = from[i];                                                                                  \
      }                                                                                                   \
    }                                                                                                     \
  }
LOC(2i, int, int)
LOC(si, short, int)
LOC(fi, float, int)
LOC(di, double, int)
LOC(2f, float, float)
LOC(2d, double, double)

#define OF_ARITHMETIC(s) \
  [REDUCTION(MAX)] = max_##s, [REDUCTION(MIN)] = min_##s, [REDUCTION(SUM)] = sum_##s, [REDUCTION(PROD)] = prod_##s
#define OF_LOGICAL(s) [REDUCTION(LAND)] = land_##s, [REDUCTION(LOR)] = lor_##s, [REDUCTION(LXOR)] = lxor_##s
#define OF_BITS(s) [REDUCTION(BAND)] = band_##s, [REDUCTION(BOR)] = bor_##s, [REDUCTION(BXOR)] = bxor_##s
#define OF_INTEGER(s) OF_ARITHMETIC(s), OF_LOGICAL(s), OF_BITS(s)
#define OF_COMPLEX(s) [REDUCTION(SUM)] = sum_##s, [REDUCTION(PROD)] = prod_##s
#define OF_LOC(s) [REDUCTION(MAXLOC)] = maxloc_##s, [REDUCTION(MINLOC)] = minloc_##s

#endif
