// SPDX-License-Identifier: Apache-2.0
//
// Integers of all widths: arithmetic, shifts, conversions, division.
#include <inttypes.h>
#include <stdio.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

#define MIX(type, print)                                                                                  \
  static void mix_##type(void) {                                                                          \
    type sum = 0;                                                                                         \
    for (int i = 0; i < 5000; ++i) {                                                                      \
      const type a = (type)next(), b = (type)(next() % 97 + 1);                                           \
      const unsigned shift = (unsigned)(next() % (8 * sizeof(type)));                                     \
      sum = (type)(sum * 31u + (type)(a / b) + (type)(a % b) + (type)(a >> shift) + (type)((type)(a)*b)); \
      if (a < b) sum = (type)(sum ^ 0x55);                                                                \
      if (a <= sum) sum = (type)~sum;                                                                     \
    }                                                                                                     \
    printf(#type " %" print "\n", sum);                                                                   \
  }

MIX(uint8_t, PRIu8)
MIX(uint16_t, PRIu16)
MIX(uint32_t, PRIu32)
MIX(uint64_t, PRIu64)

static void signed_ones(void) {
  int64_t sum = 0;
  for (int i = 0; i < 5000; ++i) {
    const int32_t a = (int32_t)next();
    const int16_t b = (int16_t)next();
    const int8_t c = (int8_t)next();
    sum = (int64_t)((uint64_t)sum * 7u) + a / (b == 0 ? 1 : b) + a % (c == 0 ? 3 : c) + (a >> (i % 31)) + b * c;
    sum ^= (int64_t)a * b;
  }
  printf("signed %" PRId64 "\n", sum);
}

static void bits(void) {
  uint64_t sum = 0;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t a = next() | 1;
    sum = sum * 3 + (uint64_t)__builtin_popcountll(a) + (uint64_t)__builtin_clzll(a) +
          (uint64_t)__builtin_ctzll(a << (i % 60));
    sum ^= __builtin_bswap64(a) + __builtin_bswap32((uint32_t)a);
    sum += (a << (i % 63 + 1)) | (a >> (63 - i % 63));
    uint32_t over;
    if (__builtin_add_overflow((uint32_t)a, (uint32_t)(a >> 32), &over)) sum += 1;
    if (__builtin_mul_overflow((uint32_t)a, (uint32_t)(a >> 40), &over)) sum += over;
  }
  printf("bits %" PRIu64 "\n", sum);
}

int main(void) {
  mix_uint8_t();
  mix_uint16_t();
  mix_uint32_t();
  mix_uint64_t();
  signed_ones();
  bits();
  return 0;
}
