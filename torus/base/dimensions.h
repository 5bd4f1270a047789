// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid {

inline constexpr unsigned kMaxDimensions = 5;  ///< of any machine
inline constexpr unsigned kMaxDirections = 2 * kMaxDimensions;

/// A link direction: dimension d's plus direction is 2d, its minus direction 2d+1.
using Direction = std::uint8_t;
inline constexpr Direction kNoDirection = 0xFF;
inline constexpr Direction opposite(Direction direction) {
  return direction ^ 1;
}

/// A coordinate per dimension; unused dimensions are zero.
using Coordinates = std::array<std::uint8_t, kMaxDimensions>;

}  // namespace toroid
