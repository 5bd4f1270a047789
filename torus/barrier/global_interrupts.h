// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torus/base/wheel.h"
#include "torus/tree/topology.h"

namespace toroid {

/// Parameters of the global interrupt network, in cycles of the network clock; sources in hw/machines/.
struct GlobalInterruptConfig {
  unsigned wire_cycles = 2;  ///< cable and drivers from node to node
  unsigned node_cycles = 4;  ///< through a node: a level made synchronous, filtered and combined

  /// Throws std::invalid_argument naming the parameter and what it may be.
  void validate() const;
};

/// Told what a node receives.
class GlobalInterruptPort {
 public:
  /// From the wheel, in the cycle in which a new level can be read.
  virtual void level_received(unsigned channel, bool level) = 0;

 protected:
  ~GlobalInterruptPort() = default;
};

/// Four wired channels along the wires of a tree. Each carries, at all nodes, the OR of the levels that all nodes send.
///
/// A node's output towards the root is the OR of its own level and of what its children send; the root's is turned
/// round and goes back down to everyone. A level that changes at a node of depth d is seen at one of depth e after
/// (d + e) * (wire + node) + node cycles, and one more for the register that takes it from the bus
/// (GlobalInterrupts::latency()). AND is made of OR by sending inverted levels: that is the nodes' matter.
///
/// A level that returns within the cycle in which it has changed is not seen (the nodes' filter), so the order in which
/// the wheel runs the events of a cycle does not show. Costs two events a node and change, and nothing while levels
/// stand still.
class GlobalInterrupts final : public WheelUnit {
 public:
  static constexpr unsigned kChannels = 4;

  /// Throws std::invalid_argument where the configuration makes no sense. All nodes of the tree send 0 to begin with.
  GlobalInterrupts(Wheel& wheel, const GlobalInterruptConfig& config, const TreeTopology& tree);
  GlobalInterrupts(const GlobalInterrupts&) = delete;
  GlobalInterrupts& operator=(const GlobalInterrupts&) = delete;

  void attach(std::uint32_t node, GlobalInterruptPort& port) { ports_[node] = &port; }

  Wheel& wheel() { return wheel_; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(parents_.size()); }
  /// Cycles from a level's change at a node of depth `from` to its reception at one of depth `to`.
  static Cycle latency(const GlobalInterruptConfig& config, unsigned from, unsigned to) {
    return Cycle{from + to} * (config.wire_cycles + config.node_cycles) + config.node_cycles + 1;
  }

  /// The level that a node sends from the next cycle on. Before start(): from the beginning on.
  void send(std::uint32_t node, unsigned channel, bool level);
  /// Ends the time before the beginning: what nodes send by now has reached everyone. Tells no port.
  void start();

  bool sent(std::uint32_t node, unsigned channel) const { return has(sent_[node], channel); }
  bool received(std::uint32_t node, unsigned channel) const { return has(received_[node], channel); }
  /// The level that leaves the node towards the root.
  bool upward(std::uint32_t node, unsigned channel) const { return has(upward_[node], channel); }
  /// Changes of what nodes have received, over all nodes and channels.
  std::uint64_t receptions() const { return receptions_; }

  void on_event(std::uint32_t what, std::uint32_t arg) override;

 private:
  enum What : std::uint32_t { kTake, kInput, kSettle, kReceive };
  /// An input of a node towards the root that has changed.
  struct Input {
    std::uint32_t node;
    std::uint8_t channel;
    bool level;
  };

  static bool has(std::uint8_t levels, unsigned channel) { return (levels >> channel & 1) != 0; }
  static std::uint32_t event(What what, unsigned channel, bool level) {
    return what | channel << 2 | (level ? 1u : 0u) << 4;
  }
  std::vector<Input>& changes_at(Cycle cycle) { return changes_[cycle.count() % 2]; }
  void take(std::uint32_t node);
  void input(const Input& change);
  void settle();
  void receive(std::uint32_t node, unsigned channel, bool level);

  Wheel& wheel_;
  const GlobalInterruptConfig config_;
  const std::uint32_t root_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> children_;  ///< of node n: from first_child_[n] to first_child_[n + 1] - 1
  std::vector<std::uint32_t> first_child_;
  std::vector<GlobalInterruptPort*> ports_;
  // By node, a bit a channel.
  std::vector<std::uint8_t> sent_;   ///< as the node's registers have it
  std::vector<std::uint8_t> taken_;  ///< as the network has it, a cycle later
  std::vector<std::uint8_t> upward_;
  std::vector<std::uint8_t> received_;
  std::vector<std::array<std::uint8_t, kChannels>> high_;  ///< by node and channel: inputs that are 1
  std::array<std::vector<Input>, 2> changes_;              ///< of a cycle, by its parity
  bool started_ = false;
  std::uint64_t receptions_ = 0;
};

}  // namespace toroid
