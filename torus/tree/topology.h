// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torus/base/topology.h"

namespace toroid {

inline constexpr unsigned kTreeChannels = 3;  ///< of a node; bl_tree.h
inline constexpr unsigned kTreeDown0 = 0;     ///< channel to the first child
inline constexpr unsigned kTreeDown1 = 1;     ///< channel to the second child
inline constexpr unsigned kTreeUp = 2;        ///< channel to the parent

/// The shape of a machine's tree network, and which I/O node serves which compute nodes.
///
/// Compute nodes have the same numbers as in the torus, and I/O nodes follow: the I/O node of processing set s is node
/// compute_nodes() + s. The shape is derived only from the machine's shape, see torus/tree/README.md.
class TreeTopology {
 public:
  /// The tree of a machine whose processing sets have at most `nodes_per_io_node` compute nodes. Throws
  /// std::invalid_argument if that is 0.
  TreeTopology(const Topology& torus, std::uint32_t nodes_per_io_node);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(links_.size()); }
  std::uint32_t compute_nodes() const { return compute_nodes_; }
  std::uint32_t io_nodes() const { return nodes() - compute_nodes_; }
  bool is_io_node(std::uint32_t node) const { return node >= compute_nodes_; }
  /// The I/O node of a compute node's processing set; for an I/O node, the node itself.
  std::uint32_t io_node_of(std::uint32_t node) const { return compute_nodes_ + sets_[node]; }

  /// The node without a parent: an I/O node.
  std::uint32_t root() const { return compute_nodes_; }
  /// kNoNode for the root.
  std::uint32_t parent(std::uint32_t node) const { return links_[node][kTreeUp]; }
  /// None, one or two, in the order of the channels.
  std::vector<std::uint32_t> children(std::uint32_t node) const;
  /// The node behind a channel, or kNoNode.
  std::uint32_t neighbour(std::uint32_t node, unsigned channel) const { return links_[node][channel]; }
  /// The channel of `node`'s parent that leads to `node`; the root has none.
  unsigned channel_at_parent(std::uint32_t node) const;

  /// Links from the root to a node, and to the node furthest from it.
  unsigned depth(std::uint32_t node) const { return depths_[node]; }
  unsigned depth() const { return depth_; }
  /// Links between two nodes.
  unsigned distance(std::uint32_t from, std::uint32_t to) const;

 private:
  void join(std::uint32_t parent, std::uint32_t child);
  void join_subtree(std::uint32_t parent, const std::uint32_t* nodes, std::uint32_t count);

  std::uint32_t compute_nodes_;
  std::vector<std::array<std::uint32_t, kTreeChannels>> links_;  ///< by node, then channel
  std::vector<std::uint32_t> sets_;                              ///< processing set of each node
  std::vector<std::uint16_t> depths_;
  unsigned depth_ = 0;
};

}  // namespace toroid
