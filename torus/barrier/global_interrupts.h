// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torus/base/parameter.h"
#include "torus/base/wheel.h"
#include "torus/tree/topology.h"

namespace toroid {

/// Parameters of the global interrupt network, in cycles of the network clock; values and sources in hw/machines/.
struct GlobalInterruptConfig {
  unsigned wire_cycles;  ///< cable and drivers from node to node
  unsigned node_cycles;  ///< through a node: synchronising, filtering and combining a level

  void visit_parameters(ParameterVisitor& visitor);
  /// Throws ParameterError.
  void validate() const { check_ranges(*this); }
};

/// Interface for the levels that a node receives.
class GlobalInterruptPort {
 public:
  /// Called on the wheel, in the cycle in which a new level can be read.
  virtual void level_received(unsigned channel, bool level) = 0;

 protected:
  ~GlobalInterruptPort() = default;
};

/// Four wired channels along the wires of a tree. Each carries, at all nodes, the OR of the levels that all nodes send.
/// Wires can also be connected and taken away while levels travel: then there are several trees, each for itself.
///
/// A node's output towards the root is the OR of its own level and the levels from its children. The root's output
/// turns around and goes back down to all nodes. A level that changes at a node of depth d is visible at a node of
/// depth e after (d + e) * (wire + node) + node cycles, plus one for the register that takes it from the bus
/// (GlobalInterrupts::latency()). Nodes implement AND by sending inverted levels.
///
/// A level that changes and returns within one cycle is not visible (the nodes' filter): events collect the changes of
/// a cycle, which take effect together. Each change costs two events for each node; constant levels cost nothing.
class GlobalInterrupts final : public WheelUnit {
 public:
  static constexpr unsigned kChannels = 4;

  /// Throws std::invalid_argument if the configuration is invalid. Initially all nodes of the tree send 0.
  GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config, const TreeTopology& tree);
  /// The same along other trees: by node, its parent; kNoNode at a root.
  GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config, std::vector<std::uint32_t> parents);
  GlobalInterrupts(const GlobalInterrupts&) = delete;
  GlobalInterrupts& operator=(const GlobalInterrupts&) = delete;

  void attach(std::uint32_t node, GlobalInterruptPort& port) { ports_[node] = &port; }

  Wheel& wheel() { return wheel_; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(parents_.size()); }
  /// Cycles from a level's change at a node of depth `from` to its reception at one of depth `to`.
  static Cycle latency(const GlobalInterruptConfig& config, unsigned from, unsigned to) {
    return Cycle{from + to} * (config.wire_cycles + config.node_cycles) + config.node_cycles + 1;
  }

  /// Sets the level that a node sends from the next cycle on; before start(), from the beginning on.
  void send(std::uint32_t node, unsigned channel, bool level);
  /// Ends initialisation: the levels that nodes send by now have reached all nodes. Calls no port.
  void start();

  bool sent(std::uint32_t node, unsigned channel) const { return has(sent_[node], channel); }
  bool received(std::uint32_t node, unsigned channel) const { return has(received_[node], channel); }
  /// The wire to another parent, or with kNoNode to none: from the next cycle on, levels travel along it. The node and
  /// those below it are told the levels of the tree that they then belong to. There must be no circle of parents.
  void connect(std::uint32_t node, std::uint32_t parent);
  std::uint32_t parent(std::uint32_t node) const { return parents_[node]; }

  /// The level that leaves the node towards the root.
  bool upward(std::uint32_t node, unsigned channel) const { return has(upward_[node], channel); }
  /// Number of changes of received levels, over all nodes and channels.
  std::uint64_t receptions() const { return receptions_; }

  void on_event(std::uint32_t what, std::uint32_t arg) override;
  /// All changes of a cycle, at once.
  void settle() override;

 private:
  enum What : std::uint32_t { kTake, kInput, kReceive, kRewired };
  /// A changed input of a node towards the root, or its received level.
  struct Change {
    std::uint32_t node;
    std::uint8_t channel;
    bool level;
  };

  static bool has(std::uint8_t levels, unsigned channel) { return (levels >> channel & 1) != 0; }
  static std::uint32_t event(What what, unsigned channel, bool level) {
    return what | channel << 2 | (level ? 1u : 0u) << 4;
  }
  void take(std::uint32_t node);
  void settle_later();
  void receive(std::uint32_t node, unsigned channel, bool level);
  std::uint32_t* place_of(std::uint32_t child, std::uint32_t parent);

  Wheel& wheel_;
  const GlobalInterruptConfig config_;
  std::vector<std::uint32_t> parents_;
  // By node; kNoNode: none. Children of a node follow each other by rising number.
  std::vector<std::uint32_t> first_child_;
  std::vector<std::uint32_t> next_child_;  ///< of the same parent
  std::vector<GlobalInterruptPort*> ports_;
  // By node, one bit for each channel.
  std::vector<std::uint8_t> sent_;   ///< the value in the node's registers
  std::vector<std::uint8_t> taken_;  ///< the value in the network, one cycle later
  std::vector<std::uint8_t> upward_;
  std::vector<std::uint8_t> received_;
  std::vector<std::array<std::uint8_t, kChannels>> high_;  ///< by node and channel: number of inputs that are 1
  // Of the running cycle.
  std::vector<Change> inputs_;
  std::vector<Change> changed_receptions_;
  bool settles_ = false;
  bool started_ = false;
  std::uint64_t receptions_ = 0;
};

}  // namespace toroid
