// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "torus/base/parameter.h"
#include "torus/torus/packet.h"

namespace toroid {

/// Which way a packet goes around a ring when both ways are equally long.
enum class TieRule : std::uint8_t {
  parity,  ///< plus from even coordinates, minus from odd ones: both directions of a ring carry the same load
  plus,    ///< always plus
};

/// Parameters of a torus network, named as in the section torus of machine descriptions. Times are network cycles,
/// sizes chunks of 32 bytes unless said otherwise. Nothing has a default: values and their sources stand in
/// hw/machines/.
struct TorusConfig {
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
  unsigned bubble_chunks;
  unsigned fullness_cycles;
  unsigned random_cycles;
  unsigned priority_injection;
  unsigned retransmit_timeout;
  unsigned resend_packets;
  double bit_error_rate;
  Cycle stuck_after;
  TieRule tie_rule;

  // The FIFOs of the device at each node, told by whoever assembles the machine.
  unsigned fifo_groups;
  unsigned injection_fifos;  ///< a group; the last one has priority
  unsigned reception_depth;  ///< chunks of each reception FIFO

  void visit_parameters(ParameterVisitor& visitor);
  /// Itself. Throws ParameterError.
  const TorusConfig& validate() const;
  /// What works and is seldom meant, a sentence each.
  std::vector<std::string> warnings() const;
};

}  // namespace toroid
