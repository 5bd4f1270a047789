// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "nic/bgq/mu_state.h"

namespace toroid {

/// The reception side: sixteen engines take packets from the network reception FIFOs and
/// write them to memory: to a reception FIFO, to the address of a put, or as descriptors to an injection FIFO.
///
/// An engine can take a packet MuConfig::deliver_cycles after its last byte has come, packet_cycles behind the one
/// before, if it has not engine_packets being written. Then the packet's chunks are free for the network. A place in a
/// FIFO is reserved when the packet is taken; the tail moves in the order of the reservations, when the packet and all
/// before it are in memory.
///
/// A packet whose FIFO is full waits in its network FIFO, and those behind it; the engine looks again at intervals of
/// RME_WAIT_FULL.
class MuReceiver {
 public:
  explicit MuReceiver(MuState& state) : state_(state) {}

  /// `packet` is complete at engine `engine` at cycle `packet.tail`.
  void arrived(Packet& packet, unsigned engine);
  /// Memory has written everything of `request`.
  void written(std::uint32_t request);
  /// Takes what can be taken in this cycle.
  void settle();

  /// There may be room in a FIFO again.
  void ring_moved();
  /// Drops all packets that wait.
  void reset();

  /// Packets that wait, or are being written.
  std::uint64_t packets() const { return held_ + writing_; }
  /// Engines that wait for room in a FIFO, a bit each.
  std::uint16_t blocked() const;

 private:
  enum class Outcome : std::uint8_t { taken, dropped, blocked };

  struct Engine {
    Packet* first = nullptr;  ///< in its network FIFO
    Packet* last = nullptr;
    Cycle next{};   ///< takes a packet then
    Cycle wakes{};  ///< for which settle() has been asked for
    Cycle blocked_since{};
    Cycle retry{};         ///< looks at its full FIFO again
    unsigned packets = 0;  ///< being written
    bool blocked = false;
  };
  /// A packet, and what its header says.
  struct Arrival {
    Packet& packet;
    unsigned engine;
    unsigned vc;
    unsigned type;
    bool system;
    const std::uint8_t* header() const { return packet.data; }
    unsigned bytes() const { return (packet.chunks - 1u) * BGQ_CHUNK_BYTES; }
  };

  void take(unsigned engine);
  void wake(Engine& engine, Cycle at);
  Outcome take(const Arrival& arrival);
  Outcome to_fifo(const Arrival& arrival);
  Outcome put(const Arrival& arrival);
  Outcome remote_get(const Arrival& arrival);
  Outcome drop(const Arrival& arrival, MuRule rule, unsigned subgroup, const std::string& why);
  Outcome header_error(const Arrival& arrival, MuRule rule, const std::string& why);
  Outcome out_of_range(const Arrival& arrival, unsigned subgroup, std::uint64_t address, const std::string& what);
  /// Whether `bytes` at `place` of a ring, in two pieces if they do not fit before its end, may be written.
  bool may_write_ring(const MuRing& ring, std::uint64_t place, std::uint32_t bytes, bool system) const;
  /// Asks memory to write them. Returns the requests; 0 if there is no memory.
  unsigned write_ring(const Arrival& arrival, const MuRing& ring, std::uint64_t place, const std::uint8_t* from,
                      std::uint32_t bytes, std::uint32_t request);
  std::uint32_t add(MuRequest::Kind kind, const Arrival& arrival, unsigned fifo, std::uint32_t bytes);
  /// The request has the next place in a FIFO.
  void reserve(MuReservations& reservations, const MuRing& ring, std::uint32_t request);
  void commit(MuReservations& reservations);
  void finish(std::uint32_t request);
  /// The engine's first packet is out of its network FIFO.
  void free(unsigned engine);
  std::string text(const Arrival& arrival) const;

  MuState& state_;
  std::array<Engine, kMuEngines> engines_{};
  std::uint32_t waiting_ = 0;  ///< bit e: the network FIFO of engine e holds packets
  std::uint64_t held_ = 0;     ///< packets in network FIFOs
  std::uint64_t writing_ = 0;
};

}  // namespace toroid
