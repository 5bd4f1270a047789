// SPDX-License-Identifier: Apache-2.0
// Elements of PAMI's predefined types: what each rank contributes to a reduction, and what plain arithmetic makes of
// it.
#ifndef TOROID_TESTS_PAMI_ELEMENTS_H
#define TOROID_TESTS_PAMI_ELEMENTS_H

#include <pami.h>
#include <string.h>

typedef enum { MAX, MIN, SUM, PROD, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC, OPERATIONS } operation_t;

typedef struct {
  const char* name;
  pami_type_t* type;
  size_t bytes;
  size_t part;          // bytes of a complex number's parts; else 0
  unsigned operations;  // bit by operation
  void (*contribute)(void* element, unsigned rank, unsigned index, operation_t operation);
  void (*combine)(void* sum, const void* element, operation_t operation);
} element_t;

// Small numbers, so that sums and products are exact in every type and do not depend on the order.
static inline int contribution(unsigned rank, unsigned index, operation_t operation) {
  if (operation == PROD) return 1 + ((rank + index) % 5 == 0);
  if (operation == LAND) return (index + 1) % 4 != 0 || rank % 3 != 1;
  if (operation == LOR || operation == LXOR) return (rank + index) % 4 == 0;
  return (int)((rank * 7 + index * 3) % 13) + 1;
}

#define NUMBER(suffix, ctype, is_signed)                                                            \
  static void contribute_##suffix(void* to, unsigned rank, unsigned index, operation_t operation) { \
    int value = contribution(rank, index, operation);                                               \
    if ((is_signed) && operation <= SUM && index % 2) value = -value;                               \
    *(ctype*)to = (ctype)value;                                                                     \
  }                                                                                                 \
  static ctype number_##suffix(ctype a, ctype b, operation_t operation) {                           \
    switch (operation) {                                                                            \
      case MAX:                                                                                     \
        return a > b ? a : b;                                                                       \
      case MIN:                                                                                     \
        return a < b ? a : b;                                                                       \
      case SUM:                                                                                     \
        return (ctype)(a + b);                                                                      \
      case PROD:                                                                                    \
        return (ctype)(a * b);                                                                      \
      case LAND:                                                                                    \
        return (ctype)(a && b);                                                                     \
      case LOR:                                                                                     \
        return (ctype)(a || b);                                                                     \
      default:                                                                                      \
        return (ctype)(!a != !b);                                                                   \
    }                                                                                               \
  }
#define INTEGER(suffix, ctype, is_signed)                                               \
  NUMBER(suffix, ctype, is_signed)                                                      \
  static void combine_##suffix(void* sum, const void* element, operation_t operation) { \
    const ctype a = *(ctype*)sum, b = *(const ctype*)element;                           \
    if (operation == BAND) {                                                            \
      *(ctype*)sum = a & b;                                                             \
    } else if (operation == BOR) {                                                      \
      *(ctype*)sum = a | b;                                                             \
    } else if (operation == BXOR) {                                                     \
      *(ctype*)sum = a ^ b;                                                             \
    } else {                                                                            \
      *(ctype*)sum = number_##suffix(a, b, operation);                                  \
    }                                                                                   \
  }
#define FLOATING(suffix, ctype)                                                         \
  NUMBER(suffix, ctype, 1)                                                              \
  static void combine_##suffix(void* sum, const void* element, operation_t operation) { \
    *(ctype*)sum = number_##suffix(*(ctype*)sum, *(const ctype*)element, operation);    \
  }
// Products of 1 and i are exact.
#define COMPLEX(suffix, part)                                                                       \
  static void contribute_##suffix(void* to, unsigned rank, unsigned index, operation_t operation) { \
    part* c = to;                                                                                   \
    const int value = contribution(rank, index, operation);                                         \
    c[0] = operation == PROD ? (part)(value == 1) : (part)value;                                    \
    c[1] = operation == PROD ? (part)(value != 1) : (part)-value;                                   \
  }                                                                                                 \
  static void combine_##suffix(void* sum, const void* element, operation_t operation) {             \
    part* a = sum;                                                                                  \
    const part* b = element;                                                                        \
    const part re = operation == SUM ? a[0] + b[0] : a[0] * b[0] - a[1] * b[1];                     \
    const part im = operation == SUM ? a[1] + b[1] : a[0] * b[1] + a[1] * b[0];                     \
    a[0] = re;                                                                                      \
    a[1] = im;                                                                                      \
  }
#define LOCATION(suffix, value_type, place_type)                                                    \
  typedef struct {                                                                                  \
    value_type value;                                                                               \
    place_type place;                                                                               \
  } suffix##_t;                                                                                     \
  static void contribute_##suffix(void* to, unsigned rank, unsigned index, operation_t operation) { \
    suffix##_t* at = to;                                                                            \
    memset(to, 0, sizeof *at);                                                                      \
    at->value = (value_type)(contribution(rank, index, operation) / 2);                             \
    at->place = (place_type)rank;                                                                   \
  }                                                                                                 \
  static void combine_##suffix(void* sum, const void* element, operation_t operation) {             \
    suffix##_t* a = sum;                                                                            \
    const suffix##_t* b = element;                                                                  \
    const int better = operation == MAXLOC ? b->value > a->value : b->value < a->value;             \
    if (better || (b->value == a->value && b->place < a->place)) *a = *b;                           \
  }

INTEGER(sc, signed char, 1)
INTEGER(uc, unsigned char, 0)
INTEGER(ss, short, 1)
INTEGER(us, unsigned short, 0)
INTEGER(si, int, 1)
INTEGER(ui, unsigned, 0)
INTEGER(sl, long long, 1)
INTEGER(ul, unsigned long long, 0)
FLOATING(f, float)
FLOATING(d, double)
FLOATING(ld, long double)
COMPLEX(sx, float)
COMPLEX(dx, double)
LOCATION(l2i, int, int)
LOCATION(l2f, float, float)
LOCATION(l2d, double, double)
LOCATION(lsi, short, int)
LOCATION(lfi, float, int)
LOCATION(ldi, double, int)
LOCATION(lli, long, int)
LOCATION(lqi, long double, int)

enum {
  ARITHMETIC = 1 << MAX | 1 << MIN | 1 << SUM | 1 << PROD,
  LOGICAL = 1 << LAND | 1 << LOR | 1 << LXOR,
  BITS = 1 << BAND | 1 << BOR | 1 << BXOR,
  PLACES = 1 << MAXLOC | 1 << MINLOC
};
#define ELEMENT_OF(name, bytes, part, operations, suffix) \
  { #name, &PAMI_TYPE_##name, bytes, part, operations, contribute_##suffix, combine_##suffix }
#define ELEMENT(name, bytes, operations, suffix) ELEMENT_OF(name, bytes, 0, operations, suffix)
static const element_t kElements[] = {
    ELEMENT(SIGNED_CHAR, 1, ARITHMETIC | LOGICAL | BITS, sc),
    ELEMENT(UNSIGNED_CHAR, 1, ARITHMETIC | LOGICAL | BITS, uc),
    ELEMENT(SIGNED_SHORT, 2, ARITHMETIC | LOGICAL | BITS, ss),
    ELEMENT(UNSIGNED_SHORT, 2, ARITHMETIC | LOGICAL | BITS, us),
    ELEMENT(SIGNED_INT, 4, ARITHMETIC | LOGICAL | BITS, si),
    ELEMENT(UNSIGNED_INT, 4, ARITHMETIC | LOGICAL | BITS, ui),
    ELEMENT(SIGNED_LONG, 8, ARITHMETIC | LOGICAL | BITS, sl),
    ELEMENT(UNSIGNED_LONG, 8, ARITHMETIC | LOGICAL | BITS, ul),
    ELEMENT(SIGNED_LONG_LONG, 8, ARITHMETIC | LOGICAL | BITS, sl),
    ELEMENT(UNSIGNED_LONG_LONG, 8, ARITHMETIC | LOGICAL | BITS, ul),
    ELEMENT(FLOAT, 4, ARITHMETIC, f),
    ELEMENT(DOUBLE, 8, ARITHMETIC, d),
    ELEMENT(LONG_DOUBLE, 16, ARITHMETIC, ld),
    ELEMENT(LOGICAL1, 1, LOGICAL, uc),
    ELEMENT(LOGICAL2, 2, LOGICAL, us),
    ELEMENT(LOGICAL4, 4, LOGICAL, ui),
    ELEMENT(LOGICAL8, 8, LOGICAL, ul),
    ELEMENT_OF(SINGLE_COMPLEX, 8, 4, 1 << SUM | 1 << PROD, sx),
    ELEMENT_OF(DOUBLE_COMPLEX, 16, 8, 1 << SUM | 1 << PROD, dx),
    ELEMENT(LOC_2INT, sizeof(l2i_t), PLACES, l2i),
    ELEMENT(LOC_2FLOAT, sizeof(l2f_t), PLACES, l2f),
    ELEMENT(LOC_2DOUBLE, sizeof(l2d_t), PLACES, l2d),
    ELEMENT(LOC_SHORT_INT, sizeof(lsi_t), PLACES, lsi),
    ELEMENT(LOC_FLOAT_INT, sizeof(lfi_t), PLACES, lfi),
    ELEMENT(LOC_DOUBLE_INT, sizeof(ldi_t), PLACES, ldi),
    ELEMENT(LOC_LONG_INT, sizeof(lli_t), PLACES, lli),
    ELEMENT(LOC_LONGDOUBLE_INT, sizeof(lqi_t), PLACES, lqi),
};
enum { ELEMENTS = sizeof kElements / sizeof kElements[0] };

// Whether `bytes` bytes of elements are what they should be. A complex number's zero may have either sign: which one
// depends on the order of multiplication.
static inline int equal(const element_t* kind, const void* is, const void* should, size_t bytes) {
  if (kind->part == 0) return memcmp(is, should, bytes) == 0;
  for (size_t i = 0; i < bytes / kind->part; ++i) {
    if (kind->part == 4 ? ((const float*)is)[i] != ((const float*)should)[i]
                        : ((const double*)is)[i] != ((const double*)should)[i]) {
      return 0;
    }
  }
  return 1;
}

#endif
