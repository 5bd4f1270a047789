// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "torus/torus/families/family.h"

namespace toroid {

template <typename F>
class MinimalRoutes;

/// Virtual channels of Blue Gene/L and Blue Gene/P, in the encoding of their packet header.
struct BlueGeneLpChannel {
  static constexpr VirtualChannel dynamic0 = 0;
  static constexpr VirtualChannel dynamic1 = 1;
  static constexpr VirtualChannel bubble = 2;    ///< BN: deterministic packets of normal priority, and the escape
  static constexpr VirtualChannel priority = 3;  ///< BP: deterministic packets of high priority
};

/// The routers of Blue Gene/L and Blue Gene/P. The machines have three dimensions; the same router in five is for
/// traffic without processors.
template <unsigned dimensions>
struct BlueGeneLpFamilyOf {
  static constexpr const char* kName = "blue_gene_lp";
  static constexpr unsigned kDimensions = dimensions;
  static constexpr std::array<std::uint8_t, kMaxDimensions> kLinks{1, 1, 1, 1, 1};
  static constexpr unsigned kChunkBytes = 32;
  static constexpr unsigned kMaxChunks = 8;  ///< packets of up to 256 bytes
  static constexpr unsigned kMaxPacketBytes = kChunkBytes * kMaxChunks;
  static constexpr std::array<VcTraits, 4> kVcs{{
      {"D0", VcUse::adaptive, TokenUnit::chunk, 0},
      {"D1", VcUse::adaptive, TokenUnit::chunk, 0},
      {"BN", VcUse::ordered, TokenUnit::packet, 0},
      {"BP", VcUse::ordered, TokenUnit::packet, 1},
  }};
  static constexpr unsigned kPriorityClasses = 1u << 1;
  static constexpr RingRule kRingRule = RingRule::bubble;
  static constexpr bool kEscape = true;
  static constexpr unsigned kTrailerChunks = 0;
  static constexpr bool kZones = false;
  static constexpr bool kTransitGrants = false;
  static constexpr std::uint8_t kIoChannel = kNoIoPort;
  static constexpr unsigned kNodes = 1;
  static constexpr unsigned kInjectionFifos = 16;
  static constexpr unsigned kFifoGroups = 2;
  static constexpr unsigned kLocalFifos = 0;
  template <typename F>
  using Routes = MinimalRoutes<F>;
};

using BlueGeneLpFamily = BlueGeneLpFamilyOf<3>;
using BlueGeneLp5dFamily = BlueGeneLpFamilyOf<5>;

}  // namespace toroid
