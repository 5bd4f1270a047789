// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/tree/topology.h"

namespace toroid {

// Consistent descriptors of a class for all nodes of a tree (bits: packet.h). `members` says for each node, including
// I/O nodes, whether its local client takes part. The routers of other nodes forward packets, and parts of the tree
// without members are not used.

/// Reductions: every member contributes, the result turns around at the root and travels down to all members.
std::vector<std::uint16_t> tree_reduction_class(const TreeTopology& tree, const std::vector<bool>& members);

/// Broadcasts: a packet from any member reaches all others by the shortest route.
std::vector<std::uint16_t> tree_broadcast_class(const TreeTopology& tree, const std::vector<bool>& members);

/// Each processing set separately: packets of compute nodes go up to the I/O node, packets of the I/O node go down to
/// all compute nodes of the set; a point-to-point packet is accepted by the node that it names.
std::vector<std::uint16_t> tree_to_io_class(const TreeTopology& tree, const std::vector<bool>& members);
std::vector<std::uint16_t> tree_from_io_class(const TreeTopology& tree, const std::vector<bool>& members);

}  // namespace toroid
