// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace toroid::testing {

/// The collective network, the global interrupts, the lockbox and the shared memory of a machine's nodes, which work
/// but take no time. What travels moves by steps, in a random order of the nodes.
class CollectiveDouble {
 public:
  explicit CollectiveDouble(unsigned nodes) : nodes_(nodes) {}

  struct Packet {
    std::uint32_t header = 0;
    std::array<std::uint32_t, 64> payload{};
  };
  static constexpr unsigned kFifoPackets = 8;
  static constexpr unsigned kLocks = 1024;

  /// Of one node.
  struct Node {
    std::deque<Packet> injection, reception;
    Packet arriving;       ///< whose payload is being read
    Packet leaving;        ///< whose payload is being written
    unsigned written = 0;  ///< quads of it
    // The one channel that programs have, for AND.
    bool sends = true, receives = true, interrupt = false;
    bool rings = false;           ///< the other level is on its way to the node
    unsigned looked_at_time = 0;  ///< how often its cores have, since the last ring
    std::array<std::uint32_t, kLocks> locks{};
    std::vector<std::uint64_t> shared;
  };
  Node& node(unsigned number) { return nodes_[number]; }

  /// Moves something by one step. False if nothing can move.
  bool step(std::mt19937& random);
  /// Fires the node's channel. If it has waited, that is looked at the time again since the ring, all levels have
  /// arrived.
  void fire(unsigned node);

  bool usable = true;               ///< the channel
  std::vector<std::string> errors;  ///< what the hardware would have refused, or what would have come out wrong
  unsigned fired = 0;
  std::uint64_t packets = 0;  ///< taken from the nodes

 private:
  bool combine();
  bool spread();
  bool move_level(unsigned node);
  void settle_levels();
  bool is_room(unsigned except) const;

  std::vector<Node> nodes_;
};

}  // namespace toroid::testing
