// SPDX-License-Identifier: Apache-2.0
/// Doubles as the sums over the tree see them, whose ALU adds integers. Adding integers is associative, so the bits of
/// the result do not depend on the order of additions.
///
/// A double is taken as sign, exponent e (of 11 bits; 1 for what is subnormal, 0 for zero) and mantissa m of 53 bits:
/// (-1)^s * m * 2^(e - 1075). e = 2047 marks what is special: its packets carry counts of infinities and NaNs instead.
#ifndef TOROID_FIRMWARE_TREE_DOUBLES_H
#define TOROID_FIRMWARE_TREE_DOUBLES_H

#include "firmware/tree/operation.h"

enum {
  SPECIAL = 2047,  // exponent of infinities and NaNs
  MANTISSA_BITS = 53,
  HEADROOM = TREE_SUM_HEADROOM,  // bits: sums of so many summands fit
  COUNT_BITS = 18,               // of each count of special summands
};

static const uint64_t NOT_A_NUMBER = UINT64_C(0x7FF8000000000000);
static const uint64_t INFINITE = UINT64_C(0x7FF0000000000000);
static const uint64_t SIGN = UINT64_C(0x8000000000000000);

static inline uint64_t load(const uint8_t* from, uint32_t element) {
  uint64_t bits;
  memcpy(&bits, from + element * sizeof bits, sizeof bits);
  return bits;
}

static inline void store(uint8_t* to, uint32_t element, uint64_t bits) {
  memcpy(to + element * sizeof bits, &bits, sizeof bits);
}

static inline uint32_t exponent_of(uint64_t bits) {
  const uint32_t exponent = (uint32_t)(bits >> 52) & SPECIAL;
  return exponent == 0 && bits << 1 != 0 ? 1 : exponent;
}

static inline uint64_t mantissa_of(uint64_t bits) {
  const uint64_t fraction = bits & (INFINITE ^ ~SIGN);
  return (bits & INFINITE) != 0 ? fraction | UINT64_C(1) << 52 : fraction;
}

/// Which count a special summand goes to: 0 +infinity, 1 -infinity, 2 NaN.
static inline unsigned kind_of(uint64_t bits) {
  return (bits & ~SIGN) != INFINITE ? 2 : bits >> 63 != 0 ? 1 : 0;
}

/// The sum where some summand was special.
static inline uint64_t special_sum(bool plus, bool minus, bool nan) {
  if (nan || (plus && minus)) return NOT_A_NUMBER;
  return minus ? SIGN | INFINITE : INFINITE;
}

/// The double nearest to (-1)^negative * m * 2^(e - 1075), for the exact value's first bits: 2^62 <= top < 2^63 stands
/// for m * 2^10 and is followed by nothing, or by something smaller (`sticky`). Even where two are as near.
static inline uint64_t rounded(bool negative, uint64_t top, bool sticky, int32_t e) {
  const uint64_t sign = negative ? SIGN : 0;
  if (e >= SPECIAL) return sign | INFINITE;
  uint32_t shift = 63 - MANTISSA_BITS;
  if (e < 1) {  // subnormal: fewer bits
    if (e < -60) return sign;
    shift += (uint32_t)(1 - e);
    e = 0;
  }
  if (shift >= 64) return sign;
  const uint64_t rest = top & ((UINT64_C(1) << shift) - 1);
  const uint64_t half = UINT64_C(1) << (shift - 1);
  uint64_t m = top >> shift;
  if (rest > half || (rest == half && (sticky || (m & 1) != 0))) m += 1;
  // The leading bit adds 1 to the exponent's field; a carry out of the mantissa does the same, up to infinity.
  return sign | ((e == 0 ? m : ((uint64_t)(uint32_t)(e - 1) << 52) + m));
}

#endif
