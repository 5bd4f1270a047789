// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/left_over.h"

#include <array>

namespace toroid {

std::string name_of(TreeLeftOver::Where where) {
  switch (where) {
    case TreeLeftOver::Where::injection:
      return "injection";
    case TreeLeftOver::Where::router:
      return "router";
    case TreeLeftOver::Where::link:
      return "link";
    case TreeLeftOver::Where::reception:
      break;
  }
  return "reception";
}

std::vector<TreeLeftOver> tree_left_over(const TreeNetwork& network, unsigned vc) {
  std::vector<TreeLeftOver> left;
  std::uint64_t on_links = network.in_flight(vc);
  for (std::uint32_t node = 0; on_links != 0 && node < network.topology().nodes(); ++node) {
    std::array<std::uint64_t, kTreeClasses> packets{};
    for (unsigned port = 0; port < TreeRouter::kPorts; ++port) {
      for (const TreePacket* packet = network.router(node).head(vc, port); packet != nullptr; packet = packet->next) {
        ++packets[packet->route_class];
        --on_links;
      }
    }
    for (unsigned route_class = 0; route_class < kTreeClasses; ++route_class) {
      if (packets[route_class] == 0) continue;
      left.push_back({TreeLeftOver::Where::router, node, route_class, packets[route_class]});
    }
  }
  if (on_links != 0) left.push_back({TreeLeftOver::Where::link, 0, 0, on_links});
  return left;
}

std::string tree_left_over_text(const TreeTopology& tree, const TreeLeftOver& left) {
  const std::string packets = std::to_string(left.packets) + (left.packets == 1 ? " packet" : " packets");
  if (left.where == TreeLeftOver::Where::link) return packets + " on links";
  const bool io_node = tree.is_io_node(left.node);
  const std::string node =
      io_node ? "I/O node " + std::to_string(left.node - tree.compute_nodes()) : "node " + std::to_string(left.node);
  const std::string place = left.where == TreeLeftOver::Where::router      ? "its router"
                            : left.where == TreeLeftOver::Where::injection ? "its injection FIFO, incomplete"
                                                                           : "its reception FIFO, not read";
  return "tree " + node + ", class " + std::to_string(left.route_class) + ": " + packets + " in " + place;
}

}  // namespace toroid
