// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"
#include "torus/tree/packet.h"

namespace toroid {

/// Parameters of a tree network, named as in the section tree of machine descriptions. Times are cycles of the network
/// clock, which the tree has in common with the torus. Nothing has a default: values stand in hw/machines/.
struct TreeConfig {
  unsigned nodes_per_io_node;
  unsigned link_bytes_per_cycle;
  unsigned wire_overhead;  ///< bytes of each packet in addition to its payload
  unsigned receiver_cycles;
  unsigned arbiter_cycles;
  unsigned alu_cycles;  ///< additional cycles if packets are combined
  unsigned sender_cycles;
  unsigned link_cycles;
  unsigned injection_cycles;
  unsigned reception_cycles;
  unsigned buffer_packets;  ///< of a channel's receiver, for each virtual channel
  unsigned fifo_packets;    ///< of the local client's FIFOs, for each virtual channel and direction
  double bit_error_rate;
  unsigned nack_timeout;   ///< from a frame's last byte until the sender considers its answer lost
  unsigned retry_packets;  ///< that a sender keeps until they are acknowledged, for each virtual channel
  Cycle stuck_after;

  void visit_parameters(ParameterVisitor& visitor);
  /// Returns itself. Throws ParameterError.
  const TreeConfig& validate() const;
};

/// Cycles a packet occupies a link.
inline Cycle tree_wire_cycles(const TreeConfig& config) {
  return wire_time(LinkBytes{kTreePayloadBytes} + config.wire_overhead, config.link_bytes_per_cycle);
}

/// Cycles from a header's arbitration in one router to its arbitration in the next.
inline Cycle tree_hop_cycles(const TreeConfig& config) {
  return Cycle{config.arbiter_cycles} + config.sender_cycles + config.link_cycles + config.receiver_cycles;
}

/// Cycles from the tail leaving a buffer to its token counting at the upstream sender; also those of an answer.
inline Cycle tree_token_cycles(const TreeConfig& config) {
  return Cycle{config.sender_cycles} + config.link_cycles + config.receiver_cycles;
}

/// Cycles that a damaged frame costs if the link has nothing else to send: until it ends and its NACK has returned.
inline Cycle tree_nack_cycles(const TreeConfig& config) {
  return tree_wire_cycles(config) + tree_hop_cycles(config) + tree_token_cycles(config);
}

/// The same if the NACK is lost.
inline Cycle tree_lost_nack_cycles(const TreeConfig& config) {
  return tree_wire_cycles(config) + config.nack_timeout;
}

/// Cycles from a packet being in the injection FIFO to its last byte counting in the reception FIFO, over `links` links
/// of an idle tree, uncombined.
inline Cycle tree_latency(const TreeConfig& config, unsigned links) {
  return Cycle{config.injection_cycles} + tree_hop_cycles(config) * links + tree_wire_cycles(config) +
         config.reception_cycles;
}

/// The same for a reduction to which all contribute at once: up from the contributor `deepest` links below the root,
/// combined in every router, and down over `links` links.
inline Cycle tree_reduction_latency(const TreeConfig& config, unsigned deepest, unsigned links) {
  return tree_latency(config, deepest + links) + Cycle{config.alu_cycles} * (deepest + 1);
}

}  // namespace toroid
