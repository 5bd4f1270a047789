// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "torus/torus/families/family.h"

namespace toroid {

template <typename F>
class MinimalRoutes;

/// Routers for tests: two parallel links in each direction of X and Z, one in Y, two nodes at a router. Requests and
/// responses are classes of their own, each with an adaptive channel and two ordered ones, which a dateline keeps from
/// blocking each other. Tokens of all channels are chunks, of 24 bytes.
struct TwinLinksFamily {
  static constexpr const char* kName = "twin_links";
  static constexpr unsigned kDimensions = 3;
  static constexpr std::array<std::uint8_t, kMaxDimensions> kLinks{2, 1, 2, 1, 1};
  static constexpr unsigned kChunkBytes = 24;
  static constexpr unsigned kMaxChunks = 5;
  static constexpr std::array<VcTraits, 6> kVcs{{
      {"QA", VcUse::adaptive, TokenUnit::chunk, 0},
      {"Q0", VcUse::ordered, TokenUnit::chunk, 0},
      {"Q1", VcUse::ordered, TokenUnit::chunk, 0},
      {"RA", VcUse::adaptive, TokenUnit::chunk, 1},
      {"R0", VcUse::ordered, TokenUnit::chunk, 1},
      {"R1", VcUse::ordered, TokenUnit::chunk, 1},
  }};
  static constexpr unsigned kPriorityClasses = 0;
  static constexpr RingRule kRingRule = RingRule::dateline;
  static constexpr bool kEscape = true;
  static constexpr unsigned kTrailerChunks = 0;
  static constexpr bool kZones = false;
  static constexpr bool kTransitGrants = false;
  static constexpr std::uint8_t kIoChannel = kNoIoPort;
  static constexpr unsigned kNodes = 2;
  static constexpr unsigned kInjectionFifos = 8;
  static constexpr unsigned kFifoGroups = 2;
  static constexpr unsigned kLocalFifos = 1;
  template <typename F>
  using Routes = MinimalRoutes<F>;
};

}  // namespace toroid
