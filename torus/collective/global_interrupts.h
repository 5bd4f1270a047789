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
class InterruptClasses {
 public:
  static constexpr unsigned kBits = 3;

  InterruptClasses(Wheel& wheel, const GlobalInterruptConfig& config, const Topology& topology);

  /// The class's tree, by node, and control bits of `bits` at all nodes that take part, as if for ever; no change of
  /// the class may be under way. Throws std::invalid_argument if the tree has not exactly one root.
  void set_routes(unsigned number, const std::vector<ClassRoute>& routes, unsigned bits = 0);
  /// Called with the class and its new status, at every change; nullptr: at none.
  void attach(std::uint32_t node, GlobalInterruptPort& port) { ports_[node] = &port; }

  /// Sets a node's control bits, from the next cycle on. Ignored if the node takes no part.
  void write(std::uint32_t node, unsigned number, unsigned bits);
  unsigned control(std::uint32_t node, unsigned number) const;
  unsigned status(std::uint32_t node, unsigned number) const;

 private:
  struct Class {
    std::vector<std::uint32_t> place;  ///< by node: in the tree; kNoNode outside
    std::vector<bool> takes_part;
    std::unique_ptr<GlobalInterrupts> levels;
  };
  /// What a tree tells its nodes.
  struct Relay final : GlobalInterruptPort {
    void level_received(unsigned, bool) override;
    InterruptClasses* classes;
    std::uint32_t node;
    unsigned number;
  };

  Wheel& wheel_;
  const GlobalInterruptConfig config_;
  const Topology topology_;
  std::array<Class, kClassRoutes> classes_;
  std::array<std::vector<std::unique_ptr<Relay>>, kClassRoutes> relays_;
  std::vector<GlobalInterruptPort*> ports_;
};

}  // namespace toroid
