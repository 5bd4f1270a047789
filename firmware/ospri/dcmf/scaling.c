// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/scaling.h"

#include <string.h>

unsigned ospri_type_bytes(int type) {
  switch (type) {
    case A1_INT32:
    case A1_UINT32:
    case A1_FLOAT:
      return 4;
    case A1_INT64:
    case A1_UINT64:
    case A1_DOUBLE:
      return 8;
    default:
      return 0;
  }
}

// Signed integers wrap round, as unsigned ones do. Four elements at a time: the multiplications do not wait for each
// other.
#define ADD_SCALED(NAME, TYPE)                                                                         \
  static void add_##NAME(TYPE* target, const TYPE* source, size_t count, const unsigned char* value) { \
    TYPE scaling;                                                                                      \
    memcpy(&scaling, value, sizeof scaling);                                                           \
    for (; count >= 4; count -= 4, target += 4, source += 4) {                                         \
      const TYPE a = source[0], b = source[1], c = source[2], d = source[3];                           \
      const TYPE e = target[0] + scaling * a, f = target[1] + scaling * b;                             \
      const TYPE g = target[2] + scaling * c, h = target[3] + scaling * d;                             \
      target[0] = e;                                                                                   \
      target[1] = f;                                                                                   \
      target[2] = g;                                                                                   \
      target[3] = h;                                                                                   \
    }                                                                                                  \
    for (size_t i = 0; i < count; ++i) target[i] += scaling * source[i];                               \
  }

ADD_SCALED(word, uint32_t)
ADD_SCALED(long, uint64_t)
ADD_SCALED(float, float)
ADD_SCALED(double, double)

#define ADD_COMPLEX(NAME, TYPE)                                                                        \
  static void add_##NAME(TYPE* target, const TYPE* source, size_t count, const unsigned char* value) { \
    TYPE scaling[2];                                                                                   \
    memcpy(scaling, value, sizeof scaling);                                                            \
    for (; count != 0; --count, target += 2, source += 2) {                                            \
      const TYPE real = source[0], imaginary = source[1];                                              \
      target[0] += scaling[0] * real - scaling[1] * imaginary;                                         \
      target[1] += scaling[0] * imaginary + scaling[1] * real;                                         \
    }                                                                                                  \
  }

ADD_COMPLEX(complex_float, float)
ADD_COMPLEX(complex_double, double)

void ospri_add_scaled(void* target, const void* source, size_t bytes, unsigned type, const unsigned char* scaling) {
  switch (type) {
    case A1_INT32:
    case A1_UINT32:
      add_word(target, source, bytes / sizeof(uint32_t), scaling);
      break;
    case A1_INT64:
    case A1_UINT64:
      add_long(target, source, bytes / sizeof(uint64_t), scaling);
      break;
    case A1_FLOAT:
      add_float(target, source, bytes / sizeof(float), scaling);
      break;
    case OSPRI_COMPLEX_FLOAT:
      add_complex_float(target, source, bytes / (2 * sizeof(float)), scaling);
      break;
    case OSPRI_COMPLEX_DOUBLE:
      add_complex_double(target, source, bytes / (2 * sizeof(double)), scaling);
      break;
    default:
      add_double(target, source, bytes / sizeof(double), scaling);
  }
}

void ospri_xor(void* target, const void* source, size_t bytes) {
  unsigned char* to = target;
  const unsigned char* from = source;
  for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t)) {
    uint32_t a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, from, sizeof b);
    a ^= b;
    memcpy(to, &a, sizeof a);
    to += sizeof a;
    from += sizeof a;
  }
  while (bytes-- != 0) *to++ ^= *from++;
}

void ospri_apply_rmw(void* place, const void* operand, void* result, unsigned bytes, unsigned operation,
                     unsigned type) {
  static const union {
    uint32_t word;
    uint64_t wide;
    float single;
    double wide_float;
    unsigned char bytes[OSPRI_SCALING_BYTES];
  } kOnes[] = {[A1_INT32] = {.word = 1},  [A1_INT64] = {.wide = 1},   [A1_UINT32] = {.word = 1},
               [A1_UINT64] = {.wide = 1}, [A1_FLOAT] = {.single = 1}, [A1_DOUBLE] = {.wide_float = 1}};
  memcpy(result, place, bytes);
  if (operation == A1_SWAP) {
    memcpy(place, operand, bytes);
  } else {
    ospri_add_scaled(place, operand, bytes, type, kOnes[type].bytes);
  }
}
