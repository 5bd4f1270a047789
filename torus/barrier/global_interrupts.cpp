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

}  // namespace

GlobalInterrupts::GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config, const TreeTopology& tree)
    : GlobalInterrupts(wheel, config, parents_of(tree)) {}

GlobalInterrupts::GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config,
                                   std::vector<std::uint32_t> parents)
    : wheel_(wheel),
      config_(config),
      parents_(std::move(parents)),
      first_child_(parents_.size(), kNoNode),
      next_child_(parents_.size(), kNoNode),
      ports_(parents_.size()),
      sent_(parents_.size()),
      taken_(parents_.size()),
      upward_(parents_.size()),
      received_(parents_.size()),
      high_(parents_.size()) {
  config.validate();
  for (auto node = static_cast<std::uint32_t>(parents_.size()); node-- != 0;) {
    if (parents_[node] != kNoNode) next_child_[node] = std::exchange(first_child_.at(parents_[node]), node);
  }
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
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    taken_[node] = sent_[node];
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      if (!has(sent_[node], channel)) continue;
      // Up to the first node that had a 1 already.
      for (std::uint32_t at = node; at != kNoNode && high_[at][channel]++ == 0; at = parents_[at])
        upward_[at] |= static_cast<std::uint8_t>(1u << channel);
    }
  }
  // From the roots down.
  std::vector<std::uint32_t> reached;
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    if (parents_[node] != kNoNode) continue;
    received_[node] = upward_[node];
    reached.push_back(node);
  }
  while (!reached.empty()) {
    const std::uint32_t node = reached.back();
    reached.pop_back();
    for (std::uint32_t child = first_child_[node]; child != kNoNode; child = next_child_[child]) {
      received_[child] = received_[node];
      reached.push_back(child);
    }
  }
}

/// Where the list of a parent's children names the child, or would.
std::uint32_t* GlobalInterrupts::place_of(std::uint32_t child, std::uint32_t parent) {
  std::uint32_t* place = &first_child_[parent];
  while (*place != kNoNode && *place < child) place = &next_child_[*place];
  return place;
}

/// What the node sends upward arrives at the new parent as if it had changed now, and leaves the old one as if it had
/// become 0: each behind what is on its way there. When all that is on its way to the node has come, it takes the
/// levels of where it then belongs.
void GlobalInterrupts::connect(std::uint32_t node, std::uint32_t parent) {
  const std::uint32_t before = parents_[node];
  if (before == parent) return;
  if (before != kNoNode) *place_of(node, before) = std::exchange(next_child_[node], kNoNode);
  if (parent != kNoNode) {
    std::uint32_t* const place = place_of(node, parent);
    next_child_[node] = std::exchange(*place, node);
  }
  parents_[node] = parent;
  const Cycle there = wheel_.now() + config_.node_cycles + config_.wire_cycles;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if (!upward(node, channel)) continue;
    if (before != kNoNode) wheel_.post(there, *this, event(kInput, channel, false), before);
    if (parent != kNoNode) wheel_.post(there, *this, event(kInput, channel, true), parent);
  }
  wheel_.post(there + 1, *this, kRewired, node);
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
    case kRewired:
      for (unsigned each = 0; each < kChannels; ++each)
        receive(arg, each, parents_[arg] == kNoNode ? upward(arg, each) : received(parents_[arg], each));
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
    if (parents_[change.node] == kNoNode) {
      wheel_.post(out, *this, event(kReceive, change.channel, level), change.node);
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
  if (received(node, channel) == level) return;
  ++receptions_;
  const auto bit = static_cast<std::uint8_t>(1u << channel);
  received_[node] = static_cast<std::uint8_t>(level ? received_[node] | bit : received_[node] & ~bit);
  for (std::uint32_t child = first_child_[node]; child != kNoNode; child = next_child_[child]) {
    wheel_.post(wheel_.now() + config_.wire_cycles + config_.node_cycles, *this, event(kReceive, channel, level),
                child);
  }
  changed_receptions_.push_back({node, static_cast<std::uint8_t>(channel), level});
  settle_later();
}

}  // namespace toroid
