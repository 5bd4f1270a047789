// SPDX-License-Identifier: Apache-2.0
// The arithmetic of reductions: every type with every operation that has a meaning for it.
#include "firmware/bgp/dcmf/collective/collective.h"

typedef void (*combine_t)(void* to, const void* from, uint32_t count);

#define COMBINE(name, type, expression)                                    \
  static void name(void* to_memory, const void* from_memory, uint32_t n) { \
    type* to = to_memory;                                                  \
    const type* from = from_memory;                                        \
    for (uint32_t i = 0; i < n; ++i) {                                     \
      const type a = to[i], b = from[i];                                   \
      to[i] = (type)(expression);                                          \
    }                                                                      \
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
#define COMPLEX(suffix, type)                                                        \
  static void sum_##suffix(void* to_memory, const void* from_memory, uint32_t n) {   \
    type* to = to_memory;                                                            \
    const type* from = from_memory;                                                  \
    for (uint32_t i = 0; i < n; ++i) to[i].re += from[i].re, to[i].im += from[i].im; \
  }                                                                                  \
  static void prod_##suffix(void* to_memory, const void* from_memory, uint32_t n) {  \
    type* to = to_memory;                                                            \
    const type* from = from_memory;                                                  \
    for (uint32_t i = 0; i < n; ++i) {                                               \
      const type a = to[i], b = from[i];                                             \
      to[i].re = a.re * b.re - a.im * b.im;                                          \
      to[i].im = a.re * b.im + a.im * b.re;                                          \
    }                                                                                \
  }
COMPLEX(sx, single_complex)
COMPLEX(dx, double_complex)

// A value and its place; of equal values the one with the lower place.
#define LOC(suffix, value_type, place_type)                                                               \
  typedef struct {                                                                                        \
    value_type value;                                                                                     \
    place_type place;                                                                                     \
  } loc_##suffix;                                                                                         \
  static void maxloc_##suffix(void* to_memory, const void* from_memory, uint32_t n) {                     \
    loc_##suffix* to = to_memory;                                                                         \
    const loc_##suffix* from = from_memory;                                                               \
    for (uint32_t i = 0; i < n; ++i) {                                                                    \
      if (from[i].value > to[i].value || (from[i].value == to[i].value && from[i].place < to[i].place)) { \
        to[i] = from[i];                                                                                  \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  static void minloc_##suffix(void* to_memory, const void* from_memory, uint32_t n) {                     \
    loc_##suffix* to = to_memory;                                                                         \
    const loc_##suffix* from = from_memory;                                                               \
    for (uint32_t i = 0; i < n; ++i) {                                                                    \
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

typedef struct {
  uint32_t bytes;
  combine_t combine[DCMF_OP_COUNT];
} type_t;

#define OF_ARITHMETIC(s) [DCMF_MAX] = max_##s, [DCMF_MIN] = min_##s, [DCMF_SUM] = sum_##s, [DCMF_PROD] = prod_##s
#define OF_LOGICAL(s) [DCMF_LAND] = land_##s, [DCMF_LOR] = lor_##s, [DCMF_LXOR] = lxor_##s
#define OF_INTEGER(s) \
  OF_ARITHMETIC(s), OF_LOGICAL(s), [DCMF_BAND] = band_##s, [DCMF_BOR] = bor_##s, [DCMF_BXOR] = bxor_##s
#define OF_LOC(s) [DCMF_MAXLOC] = maxloc_##s, [DCMF_MINLOC] = minloc_##s

static const type_t kTypes[DCMF_DT_COUNT] = {
    [DCMF_SIGNED_CHAR] = {sizeof(signed char), {OF_INTEGER(sc)}},
    [DCMF_UNSIGNED_CHAR] = {sizeof(unsigned char), {OF_INTEGER(uc)}},
    [DCMF_SIGNED_SHORT] = {sizeof(short), {OF_INTEGER(ss)}},
    [DCMF_UNSIGNED_SHORT] = {sizeof(unsigned short), {OF_INTEGER(us)}},
    [DCMF_SIGNED_INT] = {sizeof(int), {OF_INTEGER(si)}},
    [DCMF_UNSIGNED_INT] = {sizeof(unsigned), {OF_INTEGER(ui)}},
    [DCMF_SIGNED_LONG_LONG] = {sizeof(long long), {OF_INTEGER(sl)}},
    [DCMF_UNSIGNED_LONG_LONG] = {sizeof(unsigned long long), {OF_INTEGER(ul)}},
    [DCMF_FLOAT] = {sizeof(float), {OF_ARITHMETIC(f)}},
    [DCMF_DOUBLE] = {sizeof(double), {OF_ARITHMETIC(d)}},
    [DCMF_LONG_DOUBLE] = {sizeof(long double), {OF_ARITHMETIC(ld)}},
    [DCMF_LOGICAL] = {sizeof(int), {OF_LOGICAL(si)}},
    [DCMF_SINGLE_COMPLEX] = {sizeof(single_complex), {[DCMF_SUM] = sum_sx, [DCMF_PROD] = prod_sx}},
    [DCMF_DOUBLE_COMPLEX] = {sizeof(double_complex), {[DCMF_SUM] = sum_dx, [DCMF_PROD] = prod_dx}},
    [DCMF_LOC_2INT] = {sizeof(loc_2i), {OF_LOC(2i)}},
    [DCMF_LOC_SHORT_INT] = {sizeof(loc_si), {OF_LOC(si)}},
    [DCMF_LOC_FLOAT_INT] = {sizeof(loc_fi), {OF_LOC(fi)}},
    [DCMF_LOC_DOUBLE_INT] = {sizeof(loc_di), {OF_LOC(di)}},
    [DCMF_LOC_2FLOAT] = {sizeof(loc_2f), {OF_LOC(2f)}},
    [DCMF_LOC_2DOUBLE] = {sizeof(loc_2d), {OF_LOC(2d)}},
};

uint32_t dcmf_reduction_bytes(DCMF_Dt dt, DCMF_Op op, uint32_t count) {
  if ((unsigned)dt >= DCMF_DT_COUNT || (unsigned)op >= DCMF_OP_COUNT || kTypes[dt].combine[op] == NULL) return 0;
  return kTypes[dt].bytes * count;
}

void dcmf_reduce(void* to, const void* from, uint32_t count, DCMF_Dt dt, DCMF_Op op) {
  kTypes[dt].combine[op](to, from, count);
}
