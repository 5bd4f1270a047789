// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "torus/torus/families/family.h"

namespace toroid {

template <typename F>
class MinimalRoutes;

/// Routers for tests, of a size that no machine in this repository has yet: five dimensions, ten links, six virtual
/// channels, packets of up to 17 chunks. One channel is adaptive; of the five classes of ordered packets one has
/// priority.
struct FiveDimensionalFamily {
  static constexpr const char* kName = "five_dimensional";
  static constexpr unsigned kDimensions = 5;
  static constexpr std::array<std::uint8_t, kMaxDimensions> kLinks{1, 1, 1, 1, 1};
  static constexpr unsigned kChunkBytes = 32;
  static constexpr unsigned kMaxChunks = 17;
  static constexpr std::array<VcTraits, 6> kVcs{{
      {"DY", VcUse::adaptive, TokenUnit::chunk, 0},
      {"DE", VcUse::ordered, TokenUnit::packet, 0},
      {"HP", VcUse::ordered, TokenUnit::packet, 1},
      {"SY", VcUse::ordered, TokenUnit::packet, 2},
      {"C0", VcUse::ordered, TokenUnit::packet, 3},
      {"C1", VcUse::ordered, TokenUnit::packet, 4},
  }};
  static constexpr unsigned kPriorityClasses = 1u << 1;
  static constexpr RingRule kRingRule = RingRule::bubble;
  static constexpr bool kEscape = true;
  static constexpr unsigned kNodes = 1;
  static constexpr unsigned kInjectionFifos = 16;
  static constexpr unsigned kFifoGroups = 2;
  template <typename F>
  using Routes = MinimalRoutes<F>;
};

}  // namespace toroid
