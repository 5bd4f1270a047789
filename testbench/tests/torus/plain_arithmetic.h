// SPDX-License-Identifier: Apache-2.0
// What the collective units compute, in plain arithmetic: bit by bit for integers, by the host's doubles for
// floating point. Numbers are big-endian, as in packets.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "torus/collective/alu.h"

namespace toroid::test {

using Bytes = std::vector<std::uint8_t>;
using Op = CollectiveOpcode;

inline double to_double(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i) bits |= std::uint64_t{bytes[i]} << (8 * (7 - i));
  double value = 0;
  std::memcpy(&value, &bits, 8);
  return value;
}

inline Bytes of_double(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, 8);
  Bytes bytes;
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * (7 - i))));
  return bytes;
}

/// A number as bits, the lowest first.
inline std::vector<bool> bits_of(const std::uint8_t* bytes, unsigned size) {
  std::vector<bool> bits;
  for (unsigned i = size; i-- > 0;) {
    for (unsigned b = 0; b < 8; ++b) bits.push_back(bytes[i] >> b & 1);
  }
  return bits;
}

inline bool below(const std::uint8_t* a, const std::uint8_t* b, unsigned size, bool with_sign) {
  std::vector<bool> x = bits_of(a, size);
  std::vector<bool> y = bits_of(b, size);
  if (with_sign && x.back() != y.back()) return x.back();
  std::reverse(x.begin(), x.end());
  std::reverse(y.begin(), y.end());
  return x < y;
}

inline void plain_add(std::uint8_t* into, const std::uint8_t* from, unsigned size) {
  const std::vector<bool> a = bits_of(into, size);
  const std::vector<bool> b = bits_of(from, size);
  std::fill_n(into, size, std::uint8_t{0});
  bool carry = false;
  for (unsigned i = 0; i < 8 * size; ++i) {
    const bool sum = (a[i] != b[i]) != carry;
    carry = (a[i] && b[i]) || (carry && (a[i] || b[i]));
    if (sum) into[size - 1 - i / 8] |= static_cast<std::uint8_t>(1 << i % 8);
  }
}

inline void plain_combine(Op opcode, unsigned size, Bytes& into, const Bytes& from) {
  for (std::size_t at = 0; at + size <= into.size(); at += size) {
    std::uint8_t* const a = &into[at];
    const std::uint8_t* const b = &from[at];
    const auto take_if = [&](bool better) {
      if (better) std::copy_n(b, size, a);
    };
    const auto put = [&](double value) {
      const Bytes bytes = of_double(value);
      std::copy(bytes.begin(), bytes.end(), a);
    };
    switch (opcode) {
      case Op::bit_and:
        for (unsigned i = 0; i < size; ++i) a[i] &= b[i];
        break;
      case Op::bit_or:
        for (unsigned i = 0; i < size; ++i) a[i] |= b[i];
        break;
      case Op::bit_xor:
        for (unsigned i = 0; i < size; ++i) a[i] ^= b[i];
        break;
      case Op::unsigned_add:
      case Op::signed_add:
        plain_add(a, b, size);
        break;
      case Op::unsigned_min:
        take_if(below(b, a, size, false));
        break;
      case Op::unsigned_max:
        take_if(below(a, b, size, false));
        break;
      case Op::signed_min:
        take_if(below(b, a, size, true));
        break;
      case Op::signed_max:
        take_if(below(a, b, size, true));
        break;
      case Op::float_add:
        put(to_double(a) + to_double(b));
        break;
      case Op::float_min:
        put(std::min(to_double(a), to_double(b)));
        break;
      case Op::float_max:
        put(std::max(to_double(a), to_double(b)));
        break;
    }
  }
}

}  // namespace toroid::test
