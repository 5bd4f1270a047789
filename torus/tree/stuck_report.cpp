// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/stuck_report.h"

#include <map>
#include <set>
#include <tuple>

namespace toroid {
namespace {

bool fits(const TreePacket& a, const TreePacket& b) {
  return a.route_class == b.route_class && a.opcode == b.opcode && a.operand_words == b.operand_words &&
         a.point_to_point == b.point_to_point;
}

/// Follows each waiting head to the origin of its wait.
class Collector {
 public:
  explicit Collector(const TreeNetwork& network) : network_(network) {}

  std::vector<TreeWaiting> collect() {
    for (std::uint32_t node = 0; node < network_.topology().nodes(); ++node) {
      for (unsigned vc = 0; vc < kTreeVirtualChannels; ++vc) {
        for (unsigned port = 0; port < TreeRouter::kPorts; ++port) {
          if (network_.router(node).head(vc, port) != nullptr) explain(node, vc, port);
        }
      }
    }
    std::vector<TreeWaiting> found;
    for (const auto& entry : found_) found.push_back(entry.second);
    return found;
  }

 private:
  void add(TreeWaiting::Why why, std::uint32_t node, unsigned vc, unsigned route_class, unsigned port = 0,
           unsigned other_port = 0, unsigned other_class = 0) {
    const auto key = std::make_tuple(node, vc, static_cast<unsigned>(why), route_class, port, other_port);
    TreeWaiting& waiting =
        found_.emplace(key, TreeWaiting{why, node, vc, route_class, port, other_port, other_class, 0}).first->second;
    ++waiting.held_up;
  }

  void explain(std::uint32_t node, unsigned vc, unsigned port) {
    const TreeRouter& router = network_.router(node);
    const TreePacket& packet = *router.head(vc, port);
    const unsigned descriptor = router.descriptor(packet.route_class);
    const bool from_source = (descriptor & tree_source(port)) != 0;
    if (!from_source && (descriptor & tree_target(port)) == 0) {
      add(TreeWaiting::Why::no_class, node, vc, packet.route_class, port);
      return;
    }
    bool contributions_missing = false;
    for (unsigned other = 0; from_source && packet.combines() && other < TreeRouter::kPorts; ++other) {
      if ((descriptor & tree_source(other)) == 0 || other == port) continue;
      const TreePacket* beside = router.head(vc, other);
      if (beside != nullptr && !fits(packet, *beside)) {
        contributions_missing = true;
        // Of two that wait for each other one is enough.
        if (port < other || !waits_for(router, *beside, port)) {
          add(TreeWaiting::Why::mismatch, node, vc, packet.route_class, port, other, beside->route_class);
        }
      } else if (beside == nullptr) {
        contributions_missing = true;
        visited_.clear();
        if (!missing(node, vc, other, packet.route_class)) {
          add(TreeWaiting::Why::circle, node, vc, packet.route_class, port, other);
        }
      }
    }
    if (contributions_missing) return;
    if ((descriptor & tree_target(kTreeLocal)) != 0 && router.tokens(vc, kTreeLocal) == 0) {
      add(TreeWaiting::Why::reception_full, node, vc, packet.route_class);
    }
    // A channel without tokens leads to queues that are full: their heads are explained by themselves.
  }

  static bool waits_for(const TreeRouter& router, const TreePacket& packet, unsigned port) {
    return packet.combines() && (router.descriptor(packet.route_class) & tree_source(port)) != 0;
  }

  /// `node` has no packet of the class from `port`: looks for the nodes that have not sent one. Returns false if there
  /// is none, because the missing senders themselves wait for `node`.
  bool missing(std::uint32_t node, unsigned vc, unsigned port, unsigned route_class) {
    if (port == kTreeLocal) {
      add(TreeWaiting::Why::contribution, node, vc, route_class);
      return true;
    }
    const std::uint32_t sender = network_.topology().neighbour(node, port);
    if (sender == kNoNode) {
      add(TreeWaiting::Why::no_class, node, vc, route_class, port);
      return true;
    }
    if (!visited_.insert(sender).second) return true;
    const TreeRouter& router = network_.router(sender);
    const unsigned back = port == kTreeUp ? network_.topology().channel_at_parent(node) : kTreeUp;
    const unsigned descriptor = router.descriptor(route_class);
    bool any = false;
    bool found = false;
    for (unsigned source = 0; source < TreeRouter::kPorts; ++source) {
      if ((descriptor & tree_source(source)) == 0 || source == back) continue;
      any = true;
      // A head is explained by itself.
      found = router.head(vc, source) != nullptr || missing(sender, vc, source, route_class) || found;
    }
    if (!any && (descriptor & tree_source(back)) == 0) {
      add(TreeWaiting::Why::no_class, sender, vc, route_class, back);
      return true;
    }
    return found && (descriptor & tree_source(back)) == 0;
  }

  const TreeNetwork& network_;
  std::set<std::uint32_t> visited_;  ///< nodes, on one search
  std::map<std::tuple<std::uint32_t, unsigned, unsigned, unsigned, unsigned, unsigned>, TreeWaiting> found_;
};

std::string node_text(const TreeTopology& tree, std::uint32_t node) {
  if (tree.is_io_node(node)) return "I/O node " + std::to_string(node - tree.compute_nodes());
  return "node " + std::to_string(node);
}

std::string port_text(const TreeTopology& tree, std::uint32_t node, unsigned port) {
  if (port == kTreeLocal) return "its own processor";
  const std::uint32_t neighbour = tree.neighbour(node, port);
  return neighbour == kNoNode ? "channel " + std::to_string(port) + ", which has no neighbour"
                              : node_text(tree, neighbour);
}

}  // namespace

std::vector<TreeWaiting> tree_waiting(const TreeNetwork& network) {
  return Collector(network).collect();
}

std::string tree_stuck_text(const TreeNetwork& network, unsigned lines) {
  const TreeTopology& tree = network.topology();
  std::string text = std::to_string(network.in_flight()) + " packets in the tree at cycle " +
                     std::to_string(network.now().count()) + ", none has moved since cycle " +
                     std::to_string(network.progress().last_move().count()) + "\n";
  std::size_t left_out = 0;
  for (const TreeWaiting& waiting : tree_waiting(network)) {
    if (lines == 0) {
      ++left_out;
      continue;
    }
    --lines;
    const std::string which = "class " + std::to_string(waiting.route_class) + " on VC" + std::to_string(waiting.vc);
    text += "  tree " + node_text(tree, waiting.node) + ", " + which + ": ";
    switch (waiting.why) {
      case TreeWaiting::Why::contribution:
        text += "its processor has injected nothing, for which " + std::to_string(waiting.held_up) + " queues wait";
        break;
      case TreeWaiting::Why::mismatch:
        text += "a packet from " + port_text(tree, waiting.node, waiting.port) + " waits for one from " +
                port_text(tree, waiting.node, waiting.other_port) + ", which presents one of class " +
                std::to_string(waiting.other_class) +
                (waiting.other_class == waiting.route_class ? " with another opcode or operand size" : "");
        break;
      case TreeWaiting::Why::no_class:
        text += "its descriptor has no place for packets from " + port_text(tree, waiting.node, waiting.port);
        break;
      case TreeWaiting::Why::circle:
        text += "a packet from " + port_text(tree, waiting.node, waiting.port) +
                " waits to be combined with one from " + port_text(tree, waiting.node, waiting.other_port) +
                ", which waits for this one: the class has no direction in which packets combine";
        break;
      case TreeWaiting::Why::reception_full:
        text += "the reception FIFO is full and its processor does not read it";
        break;
    }
    text += "\n";
  }
  if (left_out != 0) text += "  and " + std::to_string(left_out) + " more\n";
  return text;
}

}  // namespace toroid
