// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/global_interrupts.h"

#include <utility>

namespace toroid {

InterruptClasses::InterruptClasses(Wheel& wheel, const GlobalInterruptConfig& config, const Topology& topology)
    : wheel_(wheel), config_(config), topology_(topology), ports_(topology.nodes()) {
  config.validate();
}

void InterruptClasses::set_routes(unsigned number, const std::vector<ClassRoute>& routes, unsigned bits) {
  Class made;
  made.place.assign(topology_.nodes(), kNoNode);
  made.takes_part.assign(topology_.nodes(), false);
  std::vector<std::uint32_t> members;
  for (std::uint32_t node = 0; node < routes.size(); ++node) {
    if (routes[node].input == 0) continue;
    made.place[node] = static_cast<std::uint32_t>(members.size());
    made.takes_part[node] = (routes[node].input & ClassRoute::kLocal) != 0;
    members.push_back(node);
  }
  std::vector<std::uint32_t> parents(members.size(), kNoNode);
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    for (unsigned link = 0; link < topology_.directions(); ++link) {
      const auto direction = static_cast<Direction>(link);
      if (routes[members[i]].output & ClassRoute::bit(direction)) {
        parents[i] = made.place.at(topology_.neighbour(members[i], direction));
      }
    }
  }
  made.levels = std::make_unique<GlobalInterrupts>(wheel_, config_, std::move(parents));
  relays_[number].clear();
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    auto relay = std::make_unique<Relay>();
    relay->classes = this;
    relay->node = members[i];
    relay->number = number;
    made.levels->attach(i, *relay);
    relays_[number].push_back(std::move(relay));
    for (unsigned bit = 0; bit < kBits && made.takes_part[members[i]]; ++bit)
      made.levels->send(i, bit, (bits >> bit & 1) != 0);
  }
  made.levels->start();
  classes_[number] = std::move(made);
}

void InterruptClasses::Relay::level_received(unsigned, bool) {
  GlobalInterruptPort* const port = classes->ports_[node];
  if (port != nullptr) port->level_received(number, classes->status(node, number) != 0);
}

void InterruptClasses::write(std::uint32_t node, unsigned number, unsigned bits) {
  const Class& of = classes_.at(number);
  if (of.levels == nullptr || !of.takes_part[node]) return;
  for (unsigned bit = 0; bit < kBits; ++bit) of.levels->send(of.place[node], bit, (bits >> bit & 1) != 0);
}

unsigned InterruptClasses::control(std::uint32_t node, unsigned number) const {
  const Class& of = classes_.at(number);
  if (of.levels == nullptr || of.place[node] == kNoNode) return 0;
  unsigned bits = 0;
  for (unsigned bit = 0; bit < kBits; ++bit) bits |= (of.levels->sent(of.place[node], bit) ? 1u : 0u) << bit;
  return bits;
}

unsigned InterruptClasses::status(std::uint32_t node, unsigned number) const {
  const Class& of = classes_.at(number);
  if (of.levels == nullptr || of.place[node] == kNoNode) return 0;
  unsigned bits = 0;
  for (unsigned bit = 0; bit < kBits; ++bit) bits |= (of.levels->received(of.place[node], bit) ? 1u : 0u) << bit;
  return bits;
}

}  // namespace toroid
