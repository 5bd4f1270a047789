// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/classes.h"

#include <algorithm>
#include <numeric>

#include "torus/tree/packet.h"

namespace toroid {
namespace {

/// Members in the part of the tree from each node down.
std::vector<std::uint32_t> count_below(const TreeTopology& tree, const std::vector<bool>& members) {
  std::vector<std::uint32_t> order(tree.nodes());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tree.depth(a) != tree.depth(b) ? tree.depth(a) > tree.depth(b) : a < b;
  });
  std::vector<std::uint32_t> below(tree.nodes(), 0);
  for (const std::uint32_t node : order) {
    below[node] += members[node] ? 1 : 0;
    if (node != tree.root()) below[tree.parent(node)] += below[node];
  }
  return below;
}

std::uint16_t both(unsigned port) {
  return static_cast<std::uint16_t>(tree_source(port) | tree_target(port));
}

/// Between a set's compute nodes and its I/O node: `below` marks what lies on a node's side of its I/O node, `above`
/// the way there. The local clients of compute nodes are on their own side, that of the I/O node is the way's end.
std::vector<std::uint16_t> io_class(const TreeTopology& tree, const std::vector<bool>& members,
                                    std::uint16_t (*below)(unsigned), std::uint16_t (*above)(unsigned)) {
  std::vector<std::uint16_t> descriptors(tree.nodes(), 0);
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    std::uint16_t& descriptor = descriptors[node];
    for (const unsigned channel : {kTreeDown0, kTreeDown1}) {
      const std::uint32_t child = tree.neighbour(node, channel);
      if (child != kNoNode && !tree.is_io_node(child)) descriptor |= below(channel);
    }
    const bool io_node = tree.is_io_node(node);
    if (!io_node) descriptor |= above(kTreeUp);
    if (members[node]) descriptor |= io_node ? above(kTreeLocal) : below(kTreeLocal);
  }
  return descriptors;
}

}  // namespace

std::vector<std::uint16_t> tree_reduction_class(const TreeTopology& tree, const std::vector<bool>& members) {
  const std::vector<std::uint32_t> below = count_below(tree, members);
  std::vector<std::uint16_t> descriptors(tree.nodes(), 0);
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    if (below[node] == 0) continue;
    std::uint16_t& descriptor = descriptors[node];
    const bool root = node == tree.root();
    for (const unsigned channel : {kTreeDown0, kTreeDown1}) {
      const std::uint32_t child = tree.neighbour(node, channel);
      if (child == kNoNode || below[child] == 0) continue;
      descriptor |= root ? both(channel) : tree_source(channel);
    }
    if (!root) descriptor |= tree_target(kTreeUp);
    if (members[node]) descriptor |= both(kTreeLocal);
  }
  return descriptors;
}

std::vector<std::uint16_t> tree_broadcast_class(const TreeTopology& tree, const std::vector<bool>& members) {
  const std::vector<std::uint32_t> below = count_below(tree, members);
  std::vector<std::uint16_t> descriptors(tree.nodes(), 0);
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    std::uint16_t& descriptor = descriptors[node];
    for (const unsigned channel : {kTreeDown0, kTreeDown1}) {
      const std::uint32_t child = tree.neighbour(node, channel);
      if (child != kNoNode && below[child] != 0) descriptor |= both(channel);
    }
    // Up only if there are members outside.
    if (below[node] != 0 && below[node] != below[tree.root()]) descriptor |= both(kTreeUp);
    if (members[node]) descriptor |= both(kTreeLocal);
  }
  return descriptors;
}

std::vector<std::uint16_t> tree_to_io_class(const TreeTopology& tree, const std::vector<bool>& members) {
  return io_class(tree, members, tree_source, tree_target);
}

std::vector<std::uint16_t> tree_from_io_class(const TreeTopology& tree, const std::vector<bool>& members) {
  return io_class(tree, members, tree_target, tree_source);
}

}  // namespace toroid
