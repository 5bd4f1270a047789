// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// Adds the big-endian number `from` to `into`, both of `bytes` bytes; returns the carry out of the first byte.
inline unsigned add_big_endian(std::uint8_t* into, const std::uint8_t* from, unsigned bytes) {
  unsigned carry = 0;
  for (unsigned i = bytes; i-- > 0;) {
    carry += unsigned{into[i]} + from[i];
    into[i] = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  return carry;
}

}  // namespace toroid
