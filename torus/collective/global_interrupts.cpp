// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/global_interrupts.h"

#include <utility>

namespace toroid {

InterruptClasses::InterruptClasses(Wheel& wheel, const GlobalInterruptConfig& config, const Topology& topology)
    : wheel_(wheel), config_(config), topology_(topology), ports_(topology.nodes()) {
  config.validate();
}

InterruptClasses::Class InterruptClasses::make_class(unsigned number) {
  const std::uint32_t nodes = topology_.nodes();
  Class made;
  made.nodes.resize(nodes);
  made.relays.resize(nodes);
  made.levels = std::make_unique<GlobalInterrupts>(wheel_, config_, std::vector<std::uint32_t>(nodes, kNoNode));
  for (std::uint32_t node = 0; node < nodes; ++node) {
    Relay& relay = made.relays[node];
    relay.classes = this;
    relay.node = node;
    relay.number = number;
    made.levels->attach(node, relay);
  }
  return made;
}

InterruptClasses::Class& InterruptClasses::made(unsigned number) {
  Class& of = classes_.at(number);
  if (of.levels == nullptr) {
    of = make_class(number);
    of.levels->start();
  }
  return of;
}

/// The neighbour that the node's output leads to, if that one has the link as an input; else kNoNode.
std::uint32_t InterruptClasses::wanted_parent(const Class& of, std::uint32_t node) const {
  for (unsigned link = 0; link < topology_.directions(); ++link) {
    const auto up = static_cast<Direction>(link);
    if ((of.nodes[node].route.output & ClassRoute::bit(up)) == 0) continue;
    const std::uint32_t parent = topology_.neighbour(node, up);
    if (parent == kNoNode || (of.nodes[parent].route.input & ClassRoute::bit(opposite(up))) == 0) return kNoNode;
    return parent;
  }
  return kNoNode;
}

void InterruptClasses::join(Class& of, std::uint32_t node) {
  const std::uint32_t parent = wanted_parent(of, node);
  for (std::uint32_t above = parent; above != kNoNode; above = of.levels->parent(above)) {
    if (above == node) return;
  }
  of.levels->connect(node, parent);
}

void InterruptClasses::send(Class& of, std::uint32_t node) {
  const Node& own = of.nodes[node];
  for (unsigned bit = 0; bit < kBits; ++bit)
    of.levels->send(node, bit, own.takes_part() && (own.control >> bit & 1) != 0);
}

void InterruptClasses::set_routes(unsigned number, const std::vector<ClassRoute>& routes, unsigned bits) {
  Class made = make_class(number);
  for (std::uint32_t node = 0; node < routes.size(); ++node) made.nodes[node].route = routes[node];
  std::vector<std::uint32_t> parents(topology_.nodes(), kNoNode);
  for (std::uint32_t node = 0; node < routes.size(); ++node) parents[node] = wanted_parent(made, node);
  made.levels = std::make_unique<GlobalInterrupts>(wheel_, config_, std::move(parents));
  for (std::uint32_t node = 0; node < routes.size(); ++node) {
    made.levels->attach(node, made.relays[node]);
    if (!made.nodes[node].takes_part()) continue;
    made.nodes[node].control = static_cast<std::uint8_t>(bits);
    send(made, node);
  }
  made.levels->start();
  classes_[number] = std::move(made);
}

void InterruptClasses::set_route(std::uint32_t node, unsigned number, const ClassRoute& route) {
  Class& of = made(number);
  of.nodes[node].route = route;
  join(of, node);
  for (unsigned link = 0; link < topology_.directions(); ++link) {
    const std::uint32_t neighbour = topology_.neighbour(node, static_cast<Direction>(link));
    if (neighbour != kNoNode && neighbour != node) join(of, neighbour);
  }
  send(of, node);
}

const ClassRoute& InterruptClasses::route(std::uint32_t node, unsigned number) const {
  static const ClassRoute kNone;
  const Class& of = classes_.at(number);
  return of.levels == nullptr ? kNone : of.nodes[node].route;
}

void InterruptClasses::Relay::level_received(unsigned, bool) {
  GlobalInterruptPort* const port = classes->ports_[node];
  if (port != nullptr) port->level_received(number, classes->status(node, number) != 0);
}

void InterruptClasses::write(std::uint32_t node, unsigned number, unsigned bits) {
  Class& of = made(number);
  of.nodes[node].control = static_cast<std::uint8_t>(bits);
  send(of, node);
}

unsigned InterruptClasses::control(std::uint32_t node, unsigned number) const {
  const Class& of = classes_.at(number);
  return of.levels == nullptr ? 0 : of.nodes[node].control;
}

unsigned InterruptClasses::status(std::uint32_t node, unsigned number) const {
  const Class& of = classes_.at(number);
  if (of.levels == nullptr) return 0;
  if (!of.nodes[node].has_route()) return of.nodes[node].control;
  unsigned bits = 0;
  for (unsigned bit = 0; bit < kBits; ++bit) bits |= (of.levels->received(node, bit) ? 1u : 0u) << bit;
  return bits;
}

}  // namespace toroid
