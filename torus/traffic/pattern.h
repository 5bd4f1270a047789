// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "torus/base/topology.h"

namespace toroid {

/// Who sends to whom. Patterns are looked up by name in one table (pattern.cpp); each works in any number of
/// dimensions.
class TrafficPattern {
 public:
  virtual ~TrafficPattern() = default;

  /// Destination of the packet number `serial` of `node`; `random` is the node's stream. Only for nodes that send.
  virtual std::uint32_t destination(std::uint32_t node, std::uint32_t serial, std::uint64_t& random) const = 0;

  /// Nodes that the pattern would have send to themselves keep silent.
  virtual bool sends(std::uint32_t) const { return true; }

  /// What a node sends, as shares of its packets: to every other node alike (`uniform`), and to single nodes.
  struct Flow {
    std::uint32_t destination;
    double share;
  };
  virtual double uniform_share() const { return 0; }
  virtual std::vector<Flow> flows(std::uint32_t node) const = 0;
};

struct PatternOptions {
  double hotspot_share = 0.1;  ///< hotspot: share of the packets that go to the hot node
  std::uint32_t hotspot_node = 0;
  /// displacement: by how much each coordinate of the destination is ahead of the sender's, around the ring.
  std::array<unsigned, kMaxDimensions> displacement{};
  /// displacement: nodes send whose first coordinate is a multiple of this; 0 is none.
  std::uint32_t senders_every = 1;
};

/// Throws std::invalid_argument, listing the names there are, for an unknown one.
std::unique_ptr<TrafficPattern> make_pattern(const std::string& name, const Topology& topology,
                                             const PatternOptions& options);
/// What a shape must have for any node to send in this pattern, as words behind "needs".
std::string pattern_needs(const std::string& name);
/// All names, in the table's order.
std::vector<std::string> pattern_names();

}  // namespace toroid
