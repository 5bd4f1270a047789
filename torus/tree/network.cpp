// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/network.h"

#include <utility>

namespace toroid {

TreeNetwork::TreeNetwork(Wheel& wheel, const TreeConfig& config, const Topology& torus, std::uint64_t seed)
    : config_(config.validate()),
      topology_(torus, config.nodes_per_io_node),
      wheel_(wheel),
      progress_(
          wheel, [this] { return in_flight(); }, config.stuck_after),
      routers_(std::make_unique<TreeRouter[]>(topology_.nodes())) {
  context_.wheel = &wheel_;
  context_.pool = &pool_;
  context_.progress = &progress_;
  context_.routers = routers_.get();
  context_.topology = &topology_;
  context_.wire_cycles = tree_wire_cycles(config_);
  context_.hop_cycles = tree_hop_cycles(config_);
  context_.token_cycles = tree_token_cycles(config_);
  context_.alu_cycles = Cycle{config_.alu_cycles};
  context_.injection_cycles = Cycle{config_.injection_cycles};
  context_.reception_cycles = Cycle{config_.reception_cycles};
  context_.wire_bits = 8 * (kTreePayloadBytes + config_.wire_overhead);
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node)
    routers_[node].initialise(context_, config_, node, seed);
}

void TreeNetwork::stand_in(std::unique_ptr<TreeStandIn> unit) {
  unit->take_over();
  stand_ins_.push_back(std::move(unit));
}

void TreeNetwork::set_class(unsigned route_class, const std::vector<std::uint16_t>& descriptors) {
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    routers_[node].set_descriptor(route_class, descriptors[node]);
  }
}

TreeLinkCounters TreeNetwork::links() const {
  TreeLinkCounters sum;
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    for (unsigned channel = 0; channel < kTreeChannels; ++channel) {
      const TreeLinkCounters& link = routers_[node].link(channel);
      sum.packets += link.packets;
      sum.busy_cycles += link.busy_cycles;
      sum.damaged += link.damaged;
      sum.nacks += link.nacks;
      sum.timeouts += link.timeouts;
      sum.retransmissions += link.retransmissions;
    }
  }
  return sum;
}

std::size_t TreeNetwork::memory_bytes() const {
  return topology_.nodes() * sizeof(TreeRouter) + pool_.memory_bytes();
}

}  // namespace toroid
