// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "torus/base/topology.h"
#include "torus/traffic/traffic.h"

namespace toroid {

/// A run of the network alone whose sources work off descriptors as a ring of a DMA engine does: every sending node has
/// `count` messages of `bytes` bytes, and their packets go to the network as fast as it takes them, one message behind
/// the other. Sinks take every packet at once. The run ends when all messages have arrived.
struct MessageTraffic : NetworkRun {
  using NetworkRun::NetworkRun;

  /// Adaptive routing, packets to whichever injection FIFO of their directions is free first. Otherwise dimension
  /// order, all packets of a message by one injection FIFO.
  bool adaptive = false;
  /// The sources set the hint bits by this rule where both ways around a ring are equally long; none: the routers do,
  /// by their cut-offs (TorusConfig::tie_rule).
  std::optional<TieRule> tie_rule;
  std::uint64_t bytes = 0;
  std::uint32_t count = 1;
  /// Of a packet's bytes, those that carry no payload. All packets of a message are of one size: the smallest that
  /// takes the message, the largest where it needs several.
  unsigned header_bytes = 0;
  /// From the start of a message to that of the next one of its node, at least.
  Cycle interval{};
  /// Nodes begin at random times within so many cycles, as processes leave a barrier.
  Cycle start_within{};
};

/// The least, the mean and the most of something over all nodes or messages.
struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
};

struct MessageResult {
  std::uint32_t nodes = 0;
  std::uint32_t sending_nodes = 0;
  std::uint64_t messages = 0;  ///< that have arrived
  std::uint64_t packets = 0;   ///< that have arrived
  unsigned packets_of_message = 0;
  Spread rate;       ///< payload bytes a cycle of a sending node, from its start to the arrival of its last byte
  Spread operation;  ///< cycles of that time for each of its messages
  Spread message;  ///< cycles of a message, from its first packet in the injection FIFO to the arrival of its last byte
  double link_load_mean = 0;  ///< share of all cycles
  double link_load_max = 0;
  double hops_mean = 0;
  std::uint64_t hops = 0;
  std::uint64_t retransmissions = 0;
  bool complete = false;     ///< all messages have arrived
  bool interrupted = false;  ///< keep_going said no
  bool stuck = false;        ///< nothing moved for stuck_after cycles
  std::string stuck_report;
  Cycle cycles{};            ///< when the last packet arrived
  std::uint64_t digest = 0;  ///< of every arrival (packet, node, cycle): equal runs have equal ones
  double memory_per_router = 0;
};

/// How a message is cut.
struct MessagePackets {
  unsigned chunks = 0;      ///< of each packet
  std::uint32_t count = 0;  ///< of one message
};
/// Throws std::invalid_argument if there is no room for payload beside the header, or if a source would have more
/// packets than can be numbered.
MessagePackets message_packets(const MessageTraffic& config, const RouterFamily& family);

/// Throws std::invalid_argument for a configuration that makes no sense, as run_messages() does before it begins.
void check_messages(const MessageTraffic& config);

/// Throws std::invalid_argument for a configuration that makes no sense.
MessageResult run_messages(const MessageTraffic& config);

}  // namespace toroid
