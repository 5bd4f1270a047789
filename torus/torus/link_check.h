// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/torus/packet.h"

namespace toroid {

/// The running check that each end of a link keeps of the packets that went over it (see LinkRecovery).
class LinkCheck {
 public:
  /// What of a packet goes into it.
  static std::uint32_t word(const Packet& packet, std::uint8_t sequence) {
    const Coordinates& to = packet.destination;
    return std::uint32_t{to[0]} | std::uint32_t{to[1]} << 8 | std::uint32_t{to[2]} << 16 |
           std::uint32_t{sequence} << 24;
  }

  // Each step is one to one in `check_`: what differs once is never made equal again by what is equal after it.
  void add(std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
    check_ = (check_ ^ word) * kOdd + kOdd;
    check_ ^= check_ >> 32;
  }
  /// A bit of a packet flipped without being detected.
  void add_flip(unsigned bit) { add(bit + 1); }
  void clear() { check_ = 0; }
  std::uint32_t value() const { return static_cast<std::uint32_t>(check_ >> 32); }

 private:
  std::uint64_t check_ = 0;
};

}  // namespace toroid
