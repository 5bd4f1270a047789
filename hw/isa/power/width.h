// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid::power {

/// Which of the two instruction sets: general purpose registers and addresses of 32 or of 64 bits.
enum class Width : std::uint8_t { narrow, wide };

inline constexpr unsigned word_bytes(Width width) {
  return width == Width::wide ? 8 : 4;
}

}  // namespace toroid::power
