// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "drivers/bgl/torus.h"
#include "testbench/tests/firmware/node_double.h"
#include "testbench/tests/firmware/wires_double.h"

namespace toroid::testing {

using Quad = std::array<std::uint8_t, TORUS_QUAD_BYTES>;

/// A torus that works but takes no time: it stands behind the driver's access seam, so that the message layer runs on
/// the host against FIFOs that fill up, hold back and keep their order. Packets move only when a test says so.
class TorusDouble {
 public:
  /// What a packet's header said, for tests that look at it.
  struct Sent {
    unsigned group, fifo;
    torus_fields_t fields;
    std::uint32_t word2, word3;
  };

  /// How packets that are routed adaptively arrive: as they were sent; the last one first; anyhow.
  enum class Adversary { none, reverse, random };

  TorusDouble(unsigned x, unsigned y, unsigned z);

  /// The double that the accesses reach, and the node they come from.
  static TorusDouble* current;
  unsigned node = 0;

  Quad read(std::uintptr_t address);
  void write(std::uintptr_t address, const Quad& quad);

  /// Move the packet at the head of one injection FIFO to its destination; false where there is none or no room for it.
  bool move(unsigned from, unsigned group, unsigned fifo);

  /// Deliver one of the adaptive packets that fly to a node, where the adversary keeps them; false where there is none,
  /// or no room for it.
  bool deliver(unsigned to);

  /// Move packets until none can move.
  void settle();

  /// Give a node a packet that no other sent: header words and payload quads.
  void plant(unsigned at, unsigned group, unsigned fifo, std::array<std::uint32_t, 4> header, unsigned chunks);

  unsigned injection_chunks(unsigned at, unsigned group, unsigned fifo);
  unsigned reception_chunks(unsigned at, unsigned group, unsigned fifo);

  std::map<unsigned, NodeDouble> shared;  ///< what the cores of a node share, by node

  WiresDouble wires;  ///< not there until it is given nodes

  Adversary adversary = Adversary::none;
  unsigned flying_most = 64;  ///< packets that the network holds on their way to a node
  std::mt19937 random{1};

  std::vector<Sent> sent;           ///< all packets, in the order of their injection
  std::vector<std::string> errors;  ///< what the hardware would have stopped for
  std::function<void()> on_status;  ///< called at each read of group 0's status, where set
  unsigned accesses = 0;            ///< reads and writes of the device so far

 private:
  using Packet = std::vector<Quad>;
  struct Node {
    Packet partial[2][BGL_TORUS_INJECTION_FIFOS];
    std::deque<Packet> injection[2][BGL_TORUS_INJECTION_FIFOS];
    std::deque<Quad> reception[2][BGL_TORUS_RECEPTION_FIFOS];
    std::vector<Packet> flying;
  };
  bool arrive(unsigned to, const Packet& packet, unsigned fifo);
  static unsigned chunks_of(const std::deque<Packet>& packets);
  void error(const std::string& what);

  unsigned size_[3];
  std::map<unsigned, Node> nodes_;  ///< those that have been heard of
};

}  // namespace toroid::testing
