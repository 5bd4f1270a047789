// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "torus/base/parameter.h"
#include "torus/torus/families/family.h"
#include "torus/torus/zones.h"

namespace toroid {

/// Parameters of a torus network, named as in the section torus of machine descriptions. Times are network cycles,
/// sizes chunks of the family unless said otherwise. Nothing has a default: values and their sources stand in
/// hw/machines/.
struct TorusConfig {
  std::string router;  ///< family of routers, by its name
  unsigned clock_mhz;
  unsigned link_bytes_per_cycle;
  /// Width of single directions where it differs from link_bytes_per_cycle; 0 = the same.
  std::array<std::uint16_t, kMaxDirections> direction_bytes_per_cycle;
  unsigned wire_overhead;  ///< bytes a packet beyond its chunks
  unsigned receiver_cycles;
  unsigned arbiter_cycles;
  unsigned sender_cycles;
  unsigned link_cycles;
  unsigned injection_cycles;
  unsigned reception_cycles;
  unsigned buffer_chunks;
  unsigned bubble_chunks;  ///< for families with the bubble rule
  unsigned fullness_cycles;
  unsigned random_cycles;
  unsigned priority_injection;
  bool transit_first;  ///< of packets without priority
  unsigned retransmit_timeout;
  unsigned resend_packets;
  double bit_error_rate;
  Cycle stuck_after;
  TieRule tie_rule;
  /// Adaptive channels in use of each class that has them; the family's are the most.
  unsigned adaptive_vcs;
  /// Dimensions in the order in which ordered packets travel them, counted from 0.
  std::array<std::uint8_t, kMaxDimensions> dimension_order;

  /// Of routers with zones alone; set by the assembly of a machine that describes them.
  std::optional<ZoneConfig> zones;

  // The FIFOs of the device at each node, set by the assembly of the machine.
  unsigned fifo_groups;
  unsigned injection_fifos;  ///< a group; the last one has priority
  unsigned reception_depth;  ///< chunks of each reception FIFO

  void visit_parameters(ParameterVisitor& visitor);
  /// Tokens of a virtual channel whose buffer is empty, in chunks.
  unsigned buffer_of(const RouterFamily& family, unsigned vc) const {
    const bool slots = zones && family.zones && family.vcs[vc].unit == TokenUnit::packet;
    return slots ? zones->buffer_packets * family.max_chunks : buffer_chunks;
  }
  /// Returns itself if routers of `family` can work with it. Throws ParameterError naming the parameter and what it may
  /// be.
  const TorusConfig& validate(const RouterFamily& family) const;
  /// What works and is seldom meant, a sentence each.
  std::vector<std::string> warnings(const RouterFamily& family) const;
};

}  // namespace toroid
