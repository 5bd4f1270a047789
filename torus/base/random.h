// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace toroid {

/// One step of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): small state,
/// the same numbers on every host.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A number from 0 to `below`-1.
inline std::uint32_t next_random(std::uint64_t& state, std::uint32_t below) {
  return static_cast<std::uint32_t>(((next_random(state) >> 32) * below) >> 32);
}

/// A number in (0, 1].
inline double next_unit(std::uint64_t& state) {
  return static_cast<double>((next_random(state) >> 11) + 1) * 0x1.0p-53;
}

/// Puts `things` (a container) in a random order.
template <typename Things>
void shuffle(Things& things, std::uint64_t& state) {
  using std::swap;
  for (std::size_t i = things.size(); i > 1; --i) {
    swap(things[i - 1], things[next_random(state, static_cast<std::uint32_t>(i))]);
  }
}

/// A stream of its own for part `name` of something seeded with `seed`.
inline std::uint64_t mix(std::uint64_t seed, std::uint64_t name) {
  std::uint64_t state = seed ^ (name + 1) * 0xD1342543DE82EF95u;
  return next_random(state);
}

}  // namespace toroid
