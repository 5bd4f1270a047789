// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/barrier/global_interrupts.h"
#include "torus/collective/class_route.h"

namespace toroid {

/// Global interrupts along the torus's links: 16 classes, each a tree of its own with three bits. What a node reads in
/// a class's status is the OR of the control bits of all nodes that take part, its own included. Levels travel as on
/// wires of their own (GlobalInterrupts): they need few bits of a link and wait for no packet.
///
/// Each node has a route of its own. Two neighbours are joined where the output of one is the link to the other, and
/// an input of the other that link: nodes that are not joined yet are trees for themselves.
class InterruptClasses {
 public:
  static constexpr unsigned kBits = 3;

  InterruptClasses(Wheel& wheel, const GlobalInterruptConfig& config, const Topology& topology);

  /// The class's routes, by node, and control bits of `bits` at all nodes that take part, as if for ever; no change of
  /// the class may be under way.
  void set_routes(unsigned number, const std::vector<ClassRoute>& routes, unsigned bits = 0);
  /// One node's, from now on. Its links join what they can; a link that would close a circle joins nothing.
  void set_route(std::uint32_t node, unsigned number, const ClassRoute& route);
  const ClassRoute& route(std::uint32_t node, unsigned number) const;
  /// Called with the class and its new status, at every change; nullptr: at none.
  void attach(std::uint32_t node, GlobalInterruptPort& port) { ports_[node] = &port; }

  /// Sets a node's control bits, from the next cycle on. They count while the node takes part.
  void write(std::uint32_t node, unsigned number, unsigned bits);
  unsigned control(std::uint32_t node, unsigned number) const;
  /// Of a node without a route: its own control bits.
  unsigned status(std::uint32_t node, unsigned number) const;

 private:
  struct Node {
    ClassRoute route;
    std::uint8_t control = 0;
    bool takes_part() const { return (route.input & ClassRoute::kLocal) != 0; }
    bool has_route() const { return route.input != 0 || route.output != 0; }
  };
  /// What a tree tells its nodes.
  struct Relay final : GlobalInterruptPort {
    void level_received(unsigned, bool) override;
    InterruptClasses* classes;
    std::uint32_t node;
    unsigned number;
  };
  struct Class {
    std::vector<Node> nodes;
    std::vector<Relay> relays;
    std::unique_ptr<GlobalInterrupts> levels;
  };

  Class make_class(unsigned number);
  Class& made(unsigned number);
  std::uint32_t wanted_parent(const Class& of, std::uint32_t node) const;
  void join(Class& of, std::uint32_t node);
  static void send(Class& of, std::uint32_t node);

  Wheel& wheel_;
  const GlobalInterruptConfig config_;
  const Topology topology_;
  std::array<Class, kClassRoutes> classes_;  ///< empty until a node has a route or control bits
  std::vector<GlobalInterruptPort*> ports_;
};

}  // namespace toroid
