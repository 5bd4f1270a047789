// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "torus/torus/families/family.h"

namespace toroid {

template <typename F>
class ZonedRoutes;

/// Virtual channels of Blue Gene/Q, in the encoding of its packet header (byte 3, bits 0 to 2).
struct BlueGeneQChannel {
  static constexpr VirtualChannel dynamic = 0;
  static constexpr VirtualChannel deterministic = 1;  ///< also the bubble to which dynamic packets escape
  static constexpr VirtualChannel high_priority = 2;
  static constexpr VirtualChannel system = 3;            ///< to and from I/O nodes
  static constexpr VirtualChannel collective_world = 4;  ///< comm-world or system: a link carries one of them
  static constexpr VirtualChannel collective_user = 5;   ///< sub-communicators
};

/// The routers of Blue Gene/Q: ten links and an I/O port. The dynamic channel counts its buffer by chunks, of which a
/// packet's trailer takes one; the others have slots for whole packets. Packets are up to 544 bytes, header included.
struct BlueGeneQFamily {
  static constexpr const char* kName = "blue_gene_q";
  static constexpr unsigned kDimensions = 5;
  static constexpr std::array<std::uint8_t, kMaxDimensions> kLinks{1, 1, 1, 1, 1};
  static constexpr unsigned kChunkBytes = 32;
  static constexpr unsigned kMaxChunks = 17;
  static constexpr std::array<VcTraits, 6> kVcs{{
      {"DY", VcUse::adaptive, TokenUnit::chunk, 0},
      {"DE", VcUse::ordered, TokenUnit::packet, 0},
      {"HP", VcUse::ordered, TokenUnit::packet, 1},
      {"SY", VcUse::ordered, TokenUnit::packet, 2},
      {"CW", VcUse::collective, TokenUnit::packet, 0},
      {"CU", VcUse::collective, TokenUnit::packet, 0},
  }};
  static constexpr unsigned kPriorityClasses = 1u << 1 | 1u << 2;
  static constexpr RingRule kRingRule = RingRule::bubble;
  static constexpr bool kEscape = true;
  static constexpr unsigned kTrailerChunks = 1;
  static constexpr bool kZones = true;
  static constexpr bool kTransitGrants = true;
  static constexpr std::uint8_t kIoChannel = BlueGeneQChannel::system;
  static constexpr unsigned kNodes = 1;
  static constexpr unsigned kInjectionFifos = 16;
  static constexpr unsigned kFifoGroups = 1;
  static constexpr unsigned kLocalFifos = 2;
  template <typename F>
  using Routes = ZonedRoutes<F>;
};

}  // namespace toroid
