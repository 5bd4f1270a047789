// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/latency.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "torus/tree/classes.h"
#include "torus/tree/network.h"

namespace toroid {
namespace {

constexpr unsigned kVc = 0;
constexpr unsigned kBroadcastClass = 0;
constexpr unsigned kReductionClass = 1;
constexpr unsigned kNumberBytes = 4;

/// The clients of all nodes, which count received packets.
class Clients : public TreeLocalPort {
 public:
  explicit Clients(TreeNetwork& network) : network_(network) {
    for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) network.attach(node, *this);
  }

  void packet_received(TreePacket& packet, unsigned, Cycle at) override {
    ++received_;
    last_ = std::max(last_, at);
    std::uint32_t number = 0;
    for (unsigned i = 0; i < kNumberBytes; ++i) number = number << 8 | packet.data->bytes[i];
    right_ += number == expected_ ? 1 : 0;
    network_.pool().release(packet);
  }
  void injection_taken(unsigned, Cycle) override {}

  void inject(std::uint32_t node, unsigned route_class, TreeOpcode opcode, std::uint32_t number) {
    TreePacket& packet = network_.pool().allocate();
    packet.route_class = static_cast<std::uint8_t>(route_class);
    packet.opcode = opcode;
    packet.operand_words = kNumberBytes / 2;
    packet.data->bytes.fill(0);
    for (unsigned i = 0; i < kNumberBytes; ++i) {
      packet.data->bytes[i] = static_cast<std::uint8_t>(number >> (8 * (kNumberBytes - 1 - i)));
    }
    network_.router(node).inject(packet, kVc, network_.now() + 1);
  }

  /// Runs until nothing is under way; the cycles since the injection.
  Cycle finish(std::uint64_t receivers, std::uint32_t expected) {
    const Cycle start = network_.now() + 1;
    expected_ = expected;
    received_ = right_ = 0;
    last_ = start;
    while (network_.in_flight() != 0 && network_.wheel().next() != kNever) {
      network_.wheel().run_events(network_.wheel().next());
    }
    if (received_ != receivers || right_ != receivers) {
      throw std::logic_error("a packet on the tree went to " + std::to_string(received_) + " nodes, to " +
                             std::to_string(right_) + " of them as it should, instead of " + std::to_string(receivers));
    }
    network_.wheel().run_events(last_);
    // Tokens in flight return; one packet does not exhaust them.
    for (std::uint32_t node = 0; node < network_.topology().nodes(); ++node) {
      if (network_.router(node).tokens(kVc, kTreeLocal) < network_.config().fifo_packets) {
        network_.router(node).return_reception(kVc, network_.now() + 1);
      }
    }
    return last_ - start;
  }

 private:
  TreeNetwork& network_;
  std::uint64_t received_ = 0;
  std::uint64_t right_ = 0;
  std::uint32_t expected_ = 0;
  Cycle last_ = 0;
};

}  // namespace

TreeLatencies measure_tree(const TreeConfig& config, const Topology& torus) {
  Wheel wheel;
  TreeNetwork network(wheel, config, torus, 1);
  const TreeTopology& tree = network.topology();
  Clients clients(network);
  TreeLatencies found;
  found.compute_nodes = tree.compute_nodes();
  found.io_nodes = tree.io_nodes();
  found.depth = tree.depth();

  std::vector<bool> members(tree.nodes(), false);
  std::fill(members.begin(), members.begin() + tree.compute_nodes(), true);
  network.set_class(kReductionClass, tree_reduction_class(tree, members));
  members[tree.root()] = true;
  network.set_class(kBroadcastClass, tree_broadcast_class(tree, members));

  clients.inject(tree.root(), kBroadcastClass, TreeOpcode::none, 1);
  found.root_to_all = clients.finish(tree.compute_nodes(), 1);
  std::uint32_t furthest = 0;
  for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
    if (tree.depth(node) > tree.depth(furthest)) furthest = node;
  }
  clients.inject(furthest, kBroadcastClass, TreeOpcode::none, 2);
  found.node_to_all = clients.finish(tree.compute_nodes(), 2);  // the root is a member too
  std::uint32_t sum = 0;
  for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
    clients.inject(node, kReductionClass, TreeOpcode::add, 3 * node + 1);
    sum += 3 * node + 1;
  }
  found.reduction = clients.finish(tree.compute_nodes(), sum);
  found.hops = network.hops();
  return found;
}

}  // namespace toroid
