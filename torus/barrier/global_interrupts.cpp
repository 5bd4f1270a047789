// SPDX-License-Identifier: Apache-2.0
#include "torus/barrier/global_interrupts.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace toroid {

void GlobalInterruptConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(wire_cycles, "global_interrupts.wire_cycles", "cycles", {1, 10'000},
                "cable and drivers from node to node, in cycles of the network clock");
  // One cycle to take a level and one to combine it.
  visitor.count(node_cycles, "global_interrupts.node_cycles", "cycles", {2, 10'000},
                "through a node: a level made synchronous, filtered and combined");
}

namespace {

std::vector<std::uint32_t> parents_of(const TreeTopology& tree) {
  std::vector<std::uint32_t> parents(tree.nodes());
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) parents[node] = tree.parent(node);
  return parents;
}

std::uint32_t root_of(const std::vector<std::uint32_t>& parents) {
  if (std::count(parents.begin(), parents.end(), kNoNode) != 1) throw std::invalid_argument("a tree has one root");
  return static_cast<std::uint32_t>(std::find(parents.begin(), parents.end(), kNoNode) - parents.begin());
}

}  // namespace

GlobalInterrupts::GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config, const TreeTopology& tree)
    : GlobalInterrupts(wheel, config, parents_of(tree)) {}

GlobalInterrupts::GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config,
                                   std::vector<std::uint32_t> parents)
    : wheel_(wheel),
      config_(config),
      root_(root_of(parents)),
      parents_(std::move(parents)),
      first_child_(parents_.size() + 1),
      ports_(parents_.size()),
      sent_(parents_.size()),
      taken_(parents_.size()),
      upward_(parents_.size()),
      received_(parents_.size()),
      high_(parents_.size()) {
  config.validate();
  std::vector<std::vector<std::uint32_t>> children(parents_.size());
  for (std::uint32_t node = 0; node < parents_.size(); ++node) {
    if (parents_[node] != kNoNode) children.at(parents_[node]).push_back(node);
  }
  for (std::uint32_t node = 0; node < parents_.size(); ++node) {
    first_child_[node] = static_cast<std::uint32_t>(children_.size());
    children_.insert(children_.end(), children[node].begin(), children[node].end());
  }
  first_child_.back() = static_cast<std::uint32_t>(children_.size());
}

void GlobalInterrupts::send(std::uint32_t node, unsigned channel, bool level) {
  if (sent(node, channel) == level) return;
  sent_[node] ^= static_cast<std::uint8_t>(1u << channel);
  if (!started_) return;
  // The network takes the register values at that time, so that of several changes within a cycle only the last one
  // counts.
  wheel_.post(wheel_.now() + 1, *this, kTake, node);
}

void GlobalInterrupts::start() {
  started_ = true;
  std::uint8_t all = 0;
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    taken_[node] = sent_[node];
    all |= sent_[node];
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      if (!has(sent_[node], channel)) continue;
      // Up to the first node that had a 1 already.
      for (std::uint32_t at = node; at != kNoNode && high_[at][channel]++ == 0; at = parents_[at])
        upward_[at] |= static_cast<std::uint8_t>(1u << channel);
    }
  }
  received_.assign(nodes(), all);
}

void GlobalInterrupts::on_event(std::uint32_t what, std::uint32_t arg) {
  const unsigned channel = what >> 2 & 3;
  const bool level = (what >> 4 & 1) != 0;
  switch (static_cast<What>(what & 3)) {
    case kTake:
      take(arg);
      break;
    case kInput:
      inputs_.push_back({arg, static_cast<std::uint8_t>(channel), level});
      settle_later();
      break;
    case kReceive:
      receive(arg, channel, level);
      break;
  }
}

void GlobalInterrupts::take(std::uint32_t node) {
  const auto changed = static_cast<std::uint8_t>(taken_[node] ^ sent_[node]);
  taken_[node] = sent_[node];
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if (has(changed, channel)) inputs_.push_back({node, static_cast<std::uint8_t>(channel), has(sent_[node], channel)});
  }
  settle_later();
}

void GlobalInterrupts::settle_later() {
  if (settles_) return;
  settles_ = true;
  wheel_.settle(*this);
}

void GlobalInterrupts::settle() {
  settles_ = false;
  for (const Change& change : inputs_) {
    std::uint8_t& high = high_[change.node][change.channel];
    high = static_cast<std::uint8_t>(change.level ? high + 1 : high - 1);
  }
  for (const Change& change : inputs_) {
    const bool level = high_[change.node][change.channel] != 0;
    if (level == upward(change.node, change.channel)) continue;
    upward_[change.node] ^= static_cast<std::uint8_t>(1u << change.channel);
    const Cycle out = wheel_.now() + config_.node_cycles;
    if (change.node == root_) {
      wheel_.post(out, *this, event(kReceive, change.channel, level), root_);
    } else {
      wheel_.post(out + config_.wire_cycles, *this, event(kInput, change.channel, level), parents_[change.node]);
    }
  }
  inputs_.clear();
  for (const Change& change : changed_receptions_) {
    if (ports_[change.node] != nullptr) ports_[change.node]->level_received(change.channel, change.level);
  }
  changed_receptions_.clear();
}

void GlobalInterrupts::receive(std::uint32_t node, unsigned channel, bool level) {
  ++receptions_;
  const auto bit = static_cast<std::uint8_t>(1u << channel);
  received_[node] = static_cast<std::uint8_t>(level ? received_[node] | bit : received_[node] & ~bit);
  for (std::uint32_t i = first_child_[node]; i < first_child_[node + 1]; ++i) {
    wheel_.post(wheel_.now() + config_.wire_cycles + config_.node_cycles, *this, event(kReceive, channel, level),
                children_[i]);
  }
  changed_receptions_.push_back({node, static_cast<std::uint8_t>(channel), level});
  settle_later();
}

}  // namespace toroid
