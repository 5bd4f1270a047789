// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/topology.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace toroid {
namespace {

struct Box {
  Coordinates from{};
  std::array<unsigned, kMaxDimensions> extent{};

  std::uint64_t nodes() const {
    std::uint64_t count = 1;
    for (const unsigned length : extent) count *= length;
    return count;
  }
};

/// Halves the box across its longest side, the last dimension first among equals: as boards are stacked to midplanes
/// and midplanes to rows.
void halve(const Box& box, Box& low, Box& high) {
  unsigned across = 0;
  for (unsigned d = 0; d < kMaxDimensions; ++d) {
    if (box.extent[d] >= box.extent[across]) across = d;
  }
  low = high = box;
  low.extent[across] = (box.extent[across] + 1) / 2;
  high.extent[across] = box.extent[across] - low.extent[across];
  high.from[across] = static_cast<std::uint8_t>(box.from[across] + low.extent[across]);
}

/// Calls visit(box) for the boxes of at most `most` nodes into which halving cuts `box`, neighbours in sequence.
template <typename Visit>
void cut(const Box& box, std::uint64_t most, const Visit& visit) {
  if (box.nodes() <= most) {
    visit(box);
    return;
  }
  Box low;
  Box high;
  halve(box, low, high);
  cut(low, most, visit);
  cut(high, most, visit);
}

}  // namespace

TreeTopology::TreeTopology(const Topology& torus, std::uint32_t nodes_per_io_node) : compute_nodes_(torus.nodes()) {
  if (nodes_per_io_node == 0) {
    throw std::invalid_argument("a processing set of the tree has 0 compute nodes; it must have at least 1");
  }
  Box machine;
  for (unsigned d = 0; d < kMaxDimensions; ++d) machine.extent[d] = d < torus.dimensions() ? torus.extent(d) : 1;

  std::vector<std::vector<std::uint32_t>> sets;
  cut(machine, nodes_per_io_node, [&](const Box& box) {
    std::vector<std::uint32_t>& set = sets.emplace_back();
    cut(box, 1, [&](const Box& place) { set.push_back(torus.node(place.from)); });
  });
  links_.assign(compute_nodes_ + sets.size(), {kNoNode, kNoNode, kNoNode});
  sets_.assign(links_.size(), 0);
  depths_.assign(links_.size(), 0);

  // Nodes with a free channel down, shallowest first: joining set after set there, the queue stays in that order only
  // within a depth, so that there is a queue for each.
  std::vector<std::deque<std::uint32_t>> open;
  std::size_t shallowest = 0;
  const auto enlist = [&](std::uint32_t node) {
    if (open.size() <= depths_[node]) open.resize(depths_[node] + 1u);
    open[depths_[node]].push_back(node);
    shallowest = std::min<std::size_t>(shallowest, depths_[node]);
  };
  for (std::uint32_t number = 0; number < sets.size(); ++number) {
    const std::vector<std::uint32_t>& set = sets[number];
    const std::uint32_t io_node = compute_nodes_ + number;
    sets_[io_node] = number;
    for (const std::uint32_t node : set) sets_[node] = number;
    if (number > 0) {
      while (open[shallowest].empty()) ++shallowest;
      const std::uint32_t above = open[shallowest].front();
      join(above, io_node);
      if (links_[above][kTreeDown1] != kNoNode) open[shallowest].pop_front();
    }
    const auto size = static_cast<std::uint32_t>(set.size());
    const std::uint32_t first = (size + 1) / 2;
    join_subtree(io_node, set.data(), first);
    join_subtree(io_node, set.data() + first, size - first);
    for (const std::uint32_t node : set) {
      if (links_[node][kTreeDown1] == kNoNode) enlist(node);
    }
  }
}

void TreeTopology::join(std::uint32_t parent, std::uint32_t child) {
  links_[parent][links_[parent][kTreeDown0] == kNoNode ? kTreeDown0 : kTreeDown1] = child;
  links_[child][kTreeUp] = parent;
  depths_[child] = static_cast<std::uint16_t>(depths_[parent] + 1);
  depth_ = std::max<unsigned>(depth_, depths_[child]);
}

void TreeTopology::join_subtree(std::uint32_t parent, const std::uint32_t* nodes, std::uint32_t count) {
  if (count == 0) return;
  join(parent, *nodes);
  const std::uint32_t first = count / 2;  // of the count - 1 others, the larger half
  join_subtree(*nodes, nodes + 1, first);
  join_subtree(*nodes, nodes + 1 + first, count - 1 - first);
}

std::vector<std::uint32_t> TreeTopology::children(std::uint32_t node) const {
  std::vector<std::uint32_t> found;
  for (const unsigned channel : {kTreeDown0, kTreeDown1}) {
    if (links_[node][channel] != kNoNode) found.push_back(links_[node][channel]);
  }
  return found;
}

unsigned TreeTopology::channel_at_parent(std::uint32_t node) const {
  return links_[parent(node)][kTreeDown0] == node ? kTreeDown0 : kTreeDown1;
}

unsigned TreeTopology::distance(std::uint32_t from, std::uint32_t to) const {
  unsigned links = 0;
  for (; from != to; ++links) {
    std::uint32_t& deeper = depths_[from] > depths_[to] ? from : to;
    deeper = parent(deeper);
  }
  return links;
}

}  // namespace toroid
