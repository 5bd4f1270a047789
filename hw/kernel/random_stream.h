// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// The random numbers that a kernel gives a process; they depend on seed and rank alone. SplitMix64 (Steele, Lea, Flood
/// 2014).
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint32_t rank) : state_(seed * 0x9E37'79B9'7F4A'7C15 + rank) {}

  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

}  // namespace toroid
