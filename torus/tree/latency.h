// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/torus/topology.h"
#include "torus/tree/config.h"

namespace toroid {

/// What a tree without processors takes for one packet, in network cycles: from its being in the injection FIFO to its
/// last byte counting in the reception FIFO that gets it last.
struct TreeLatencies {
  std::uint32_t compute_nodes = 0;
  std::uint32_t io_nodes = 0;
  unsigned depth = 0;      ///< links from the root to the furthest node
  Cycle root_to_all = 0;   ///< the root sends: one way through the tree
  Cycle node_to_all = 0;   ///< one of the furthest compute nodes sends
  Cycle reduction = 0;     ///< all compute nodes contribute at once and get the sum
  std::uint64_t hops = 0;  ///< of packets, in all three together
};

/// Runs the three on the network of such a machine. Throws std::invalid_argument where the configuration makes no
/// sense, std::logic_error where a packet does not arrive or a sum is wrong.
TreeLatencies measure_tree(const TreeConfig& config, const Topology& torus);

}  // namespace toroid
