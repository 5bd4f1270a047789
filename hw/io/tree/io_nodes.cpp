// SPDX-License-Identifier: Apache-2.0
#include "hw/io/tree/io_nodes.h"

#include <algorithm>

#include "hw/io/tree/io_packet.h"
#include "torus/tree/classes.h"

namespace toroid {

IoNodes::IoNodes(TreeNetwork& tree, const IoNodeConfig& config, const std::vector<std::uint32_t>& node_of_rank,
                 JobDirectory& directory, OutputSink& output) {
  const TreeTopology& topology = tree.topology();
  std::vector<bool> members(topology.nodes(), false);
  for (const std::uint32_t node : node_of_rank) {
    address_of_rank_.push_back(topology.io_node_of(node));
    members[node] = members[address_of_rank_.back()] = true;
  }
  for (std::uint32_t node = topology.compute_nodes(); node < topology.nodes(); ++node) {
    if (members[node]) nodes_.push_back(std::make_unique<IoNode>(tree, node, config, directory, output));
  }
  tree.set_class(kIoRequestClass, tree_to_io_class(topology, members));
  tree.set_class(kIoReplyClass, tree_from_io_class(topology, members));
}

bool IoNodes::busy() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->busy(); });
}

void IoNodes::drain() {
  for (const auto& node : nodes_) node->drain();
}

std::uint64_t IoNodes::passed_on(std::uint32_t rank) const {
  const std::uint32_t address = address_of_rank_[rank];
  const auto serves = [address](const auto& node) { return node->node() == address; };
  return (*std::find_if(nodes_.begin(), nodes_.end(), serves))->passed_on(rank);
}

std::uint32_t IoNodes::ranks_of(std::uint32_t address) const {
  return static_cast<std::uint32_t>(std::count(address_of_rank_.begin(), address_of_rank_.end(), address));
}

}  // namespace toroid
