// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/base/topology.h"
#include "torus/tree/config.h"

namespace toroid {

/// Latencies of one packet in a tree without processors, in network cycles: from the cycle in which it is in the
/// injection FIFO until its last byte counts in the last reception FIFO.
struct TreeLatencies {
  std::uint32_t compute_nodes = 0;
  std::uint32_t io_nodes = 0;
  unsigned depth = 0;      ///< links from the root to the furthest node
  Cycle root_to_all = 0;   ///< the root sends: one traversal of the tree
  Cycle node_to_all = 0;   ///< one of the furthest compute nodes sends
  Cycle reduction = 0;     ///< all compute nodes contribute at once and receive the sum
  std::uint64_t hops = 0;  ///< of packets, in all three together
};

/// Measures the three on the network of such a machine. Throws std::invalid_argument if the configuration is invalid,
/// std::logic_error if a packet does not arrive or a sum is wrong.
TreeLatencies measure_tree(const TreeConfig& config, const Topology& torus);

}  // namespace toroid
