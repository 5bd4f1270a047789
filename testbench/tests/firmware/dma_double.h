// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/tests/firmware/collective_double.h"
#include "testbench/tests/firmware/node_memory_double.h"

extern "C" {
#include "spi/bgp_SPI.h"
}

/// A byte counter.
struct DMA_CounterHw {
  bool enabled = false, hit = false;
  std::uint32_t value = 0, base = 0, max = 0;
  bool wraps = false;  ///< it stands for memory: it may pass zero
};

namespace toroid::testing {

/// The DMA engines of a machine that works but takes no time: it stands behind the SPI, so that DCMF runs on the host
/// against rings that fill up, counters and remote gets. Packets move only when a test says so, at random, in any order
/// that the machine allows: those of one way stay in order unless they are routed adaptively.
class DmaDouble {
 public:
  /// `processes` a node, each with `bytes` of memory. Bit d of `rings`: dimension d is a ring. Rank order is XYZT, x
  /// fastest.
  DmaDouble(unsigned x, unsigned y, unsigned z, unsigned processes, std::size_t bytes, unsigned rings = 7);

  /// The double that the SPI reaches, and the rank that calls it.
  static DmaDouble* current;
  unsigned rank = 0;

  /// The other networks of the same nodes.
  CollectiveDouble collective;

  /// Moves something by one step: a packet out of a ring, or into its destination. False if nothing can move.
  bool step();
  /// The same, but for what a node would send.
  void step_others(unsigned node);
  /// Moves until nothing can.
  void settle();
  /// Nothing is on its way.
  bool idle() const;

  unsigned nodes() const { return static_cast<unsigned>(nodes_.size()); }
  unsigned ranks() const { return nodes() * processes_; }
  unsigned node_of(unsigned of) const { return of % nodes(); }
  NodeMemoryDouble& memory(unsigned of) { return nodes_[node_of(of)].memory[of / nodes()]; }

  std::mt19937 random{1};
  unsigned meanwhile = 0;           ///< steps made at most at each access of a register
  std::vector<std::string> errors;  ///< what the hardware would have refused
  std::uint64_t accesses = 0;       ///< of registers
  std::uint64_t packets = 0;        ///< delivered
  std::uint64_t descriptors = 0;    ///< done
  std::uint64_t deposits = 0;       ///< packets with the deposit bit

  // What the SPI does, for the rank that calls.
  struct Ring {
    bool taken = false, local = false, high = false;
    bool busy = false;  ///< in the list of rings that hold descriptors
    unsigned char map = 0;
    char *start = nullptr, *end = nullptr, *head = nullptr, *tail = nullptr;
    std::uint32_t sent = 0;  ///< of the message at the head
    std::size_t free() const;
  };
  struct Group {
    std::array<Ring, 32> injection;
    std::array<Ring, 8> reception;
    std::array<DMA_CounterHw, 64> counters[2];
    std::vector<std::pair<DMA_RecFifoRecvFunction_t, void*>> functions;
    DMA_RecFifoGroup_t reception_group{};
  };
  Group& group(int number) { return nodes_[node_of(rank)].groups[static_cast<unsigned>(number)]; }
  void access();
  /// A descriptor is there.
  void wake(int group, unsigned fifo) { wake(node_of(rank), static_cast<unsigned>(group), fifo); }
  void personality(_BGP_Personality_t* of) const;
  std::array<unsigned, 3> place(unsigned node) const;
  unsigned node_at(unsigned x, unsigned y, unsigned z) const;
  unsigned processes() const { return processes_; }
  bool map_is_set(DMA_RecFifoMap_t* map);
  int poll(int fifo, DMA_RecFifoGroup_t* of);

 private:
  struct Packet {
    DMA_InjDescriptor_t descriptor;
    unsigned from = 0, to = 0;  ///< nodes
    std::uint32_t offset = 0;   ///< of the message
    std::uint32_t bytes = 0;    ///< that count
    std::vector<std::uint8_t> payload;
  };
  struct Node {
    std::vector<NodeMemoryDouble> memory;  ///< one a process
    std::array<Group, 4> groups;
    std::vector<Packet> anyhow;  ///< adaptive packets on their way to it
    unsigned on_way = 0;
    bool mapped = false;
    DMA_RecFifoMap_t map{};
  };
  /// Source, torus FIFO (or 8: the local one), destination.
  using Way = std::tuple<unsigned, unsigned, unsigned>;

  struct Source {
    unsigned node, group, fifo;
  };

  void wake(unsigned node, unsigned group, unsigned fifo);
  std::vector<unsigned> passed(unsigned from, const DMA_InjDescriptor_t& d, unsigned to) const;
  bool send(unsigned from, unsigned group, unsigned fifo);
  bool deliver(const Packet& packet);
  bool put(Node& node, const Packet& packet);
  bool get(const Packet& packet);
  bool receive(Node& node, const Packet& packet);
  char* find(Node& node, std::uint32_t physical, std::uint32_t bytes, const char* what);
  void error(const std::string& what) { errors.push_back(what); }

  std::array<unsigned, 3> size_;
  unsigned processes_, rings_;
  std::vector<Node> nodes_;
  std::vector<Source> busy_;                ///< rings that hold descriptors
  std::map<Way, std::deque<Packet>> ways_;  ///< on which there are packets
  unsigned depth_ = 0;
  unsigned held_ = ~0u;  ///< node that sends nothing
};

}  // namespace toroid::testing
