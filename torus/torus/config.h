// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "torus/torus/families/family.h"

namespace toroid {

/// Parameters of a torus network, named and defaulted as in the machine description (section torus). Times are network
/// cycles, sizes chunks of 32 bytes unless said otherwise; the sources of the values stand in hw/machines/.
struct TorusConfig {
  unsigned clock_mhz = 175;
  unsigned link_bytes_per_cycle = 1;
  /// Width of single directions where it differs from link_bytes_per_cycle; 0 = the same.
  std::array<std::uint16_t, kMaxDirections> direction_bytes_per_cycle{};
  unsigned wire_overhead = 14;  ///< bytes a packet beyond its chunks
  unsigned receiver_cycles = 8;
  unsigned arbiter_cycles = 3;
  unsigned sender_cycles = 3;
  unsigned link_cycles = 2;
  unsigned injection_cycles = 8;
  unsigned reception_cycles = 8;
  unsigned buffer_chunks = 32;
  unsigned bubble_chunks = 8;  ///< for families with the bubble rule
  unsigned fullness_cycles = 157;
  unsigned random_cycles = 53;
  /// Chance, of 32, that priority injection goes before priority transit (torus DCR +0x0B bits 22..26).
  unsigned priority_injection = 0;
  unsigned retransmit_timeout = 600;
  unsigned resend_packets = 8;
  double bit_error_rate = 0;
  Cycle stuck_after{1000000};
  TieRule tie_rule = TieRule::parity;
  /// Dimensions in the order in which ordered packets travel them, counted from 0.
  std::array<std::uint8_t, kMaxDimensions> dimension_order{0, 1, 2, 3, 4};
  /// Adaptive channels in use of each class that has them; the family's are the most.
  unsigned adaptive_vcs = 2;

  unsigned fifo_groups = 2;
  unsigned injection_fifos = 4;   ///< a group; the last one has priority
  unsigned reception_depth = 32;  ///< chunks of each reception FIFO

  /// Returns itself if routers of `family` can work with it. Throws std::invalid_argument naming the parameter and what
  /// it may be.
  const TorusConfig& validate(const RouterFamily& family) const;
  /// What works and is seldom meant, a sentence each.
  std::vector<std::string> warnings(const RouterFamily& family) const;
};

}  // namespace toroid
