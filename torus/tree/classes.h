// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/tree/topology.h"

namespace toroid {

// Descriptors of a class for every node of a tree, consistent with each other (bits: tree_packet.h). `members` says of
// each node, I/O nodes included, whether its local client takes part; the others' routers pass packets on, and parts of
// the tree without members are left alone.

/// Reductions: every member contributes, the results turn around at the root and come down to all members.
std::vector<std::uint16_t> tree_reduction_class(const TreeTopology& tree, const std::vector<bool>& members);

/// Broadcasts: what any one member sends reaches all others, by the shortest way.
std::vector<std::uint16_t> tree_broadcast_class(const TreeTopology& tree, const std::vector<bool>& members);

/// Each processing set by itself, from its compute nodes to its I/O node and back: what a compute node
/// sends goes up, what the I/O node sends comes down to all; point-to-point packets are accepted by the node they name.
std::vector<std::uint16_t> tree_to_io_class(const TreeTopology& tree, const std::vector<bool>& members);
std::vector<std::uint16_t> tree_from_io_class(const TreeTopology& tree, const std::vector<bool>& members);

}  // namespace toroid
