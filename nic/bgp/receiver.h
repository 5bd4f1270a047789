// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "nic/bgp/dma_local_fifo.h"
#include "nic/bgp/dma_packet.h"
#include "nic/bgp/dma_state.h"
#include "nic/bgp/service_order.h"

namespace toroid {

/// The reception side: takes packets from the 14 torus reception FIFOs and the local one, and writes them to memory: to
/// a reception FIFO, to the buffer of a reception counter, or as descriptors to an injection FIFO.
///
/// A packet can be taken DmaConfig::deliver_cycles after its last byte has come, packet_cycles behind the one before,
/// if one of the write buffers is free: high priority first, round robin inside a priority. Then its chunks are free
/// for the network. What it changes - counter, tail - shows when memory has it.
///
/// A packet whose reception FIFO is full waits in its torus FIFO, and those behind it; others go on. A remote get whose
/// injection FIFO has less than 512 bytes free stops the whole reception side, until there is room or software says go
/// on (FATAL_CLEAR).
class Receiver {
 public:
  static constexpr unsigned kFifos = 15;  ///< as the network numbers them: 7 a group, the last of high priority; local
  static constexpr unsigned kLocalFifo = 14;

  Receiver(DmaState& state, DmaLocalFifo& local) : state_(state), local_(local) {}

  /// `packet` is complete in FIFO `fifo` at cycle `packet.tail`.
  void arrived(Packet& packet, unsigned fifo);
  void answered(unsigned requests) { answered_ += requests; }
  /// Takes what memory has answered, then what can be taken in this cycle.
  void settle();

  /// Something has become free in an injection FIFO.
  void injection_ring_moved();
  /// Software has moved a reception FIFO. If reception has stopped there, it goes on only when software says so.
  void reception_ring_moved() { blocked_ = 0; }
  /// Software says go on.
  void go_on() { stopped_ = false, get_waits_ = false, blocked_ = 0; }
  /// Drops all packets that wait.
  void reset();

  /// A packet waits for a reception FIFO that is full; for an injection FIFO without 512 free bytes.
  bool waits_for_fifo() const { return blocked_ != 0 || stopped_; }
  bool waits_for_get() const { return get_waits_; }
  /// Packets that wait, or are being written.
  std::uint64_t packets() const { return held_ + writes_.size(); }
  unsigned chunks(unsigned fifo) const { return queues_[fifo].chunks; }
  /// The first packet that waits in `fifo`, or nullptr.
  const Packet* first(unsigned fifo) const { return queues_[fifo].first; }

 private:
  enum class Outcome : std::uint8_t { taken, dropped, blocked, stopped };
  struct Queue {
    Packet* first = nullptr;
    Packet* last = nullptr;
    unsigned chunks = 0;
  };
  /// A packet with the words of its header.
  struct Arrival {
    Packet& packet;
    unsigned fifo;
    std::array<std::uint32_t, 4> words;
    unsigned pid() const { return bgp_dma_pid(words[0]); }
    unsigned bytes() const { return bgp_dma_bytes3(words[3]); }
  };
  /// What memory is asked to write, in the order of the requests.
  struct Write {
    enum class Kind : std::uint8_t { put, fifo, header, descriptors };
    Kind kind;
    unsigned target;       ///< counter, reception FIFO, injection FIFO
    std::uint32_t amount;  ///< bytes, quads, quads
    unsigned parts;        ///< requests that are not answered
    Packet* packet;        ///< is released at the end; nullptr: a later one has it
  };

  void take_answers();
  void written(const Write& write);
  void take();
  std::optional<unsigned> choose();
  std::optional<unsigned> choose(unsigned priority);
  Outcome take(unsigned fifo);
  Outcome to_fifo(const Arrival& arrival);
  Outcome put(const Arrival& arrival);
  Outcome remote_get(const Arrival& arrival);
  void store_header(const Arrival& arrival);
  /// The FIFO's first packet is out of it.
  void free(unsigned fifo);
  Outcome drop(const Arrival& arrival, DmaRule rule, unsigned group, const std::string& why);
  /// `quads` to a ring, in two pieces if they do not fit before its end. Returns the requests; 0 if they were refused.
  unsigned write_ring(const DmaRing& ring, std::uint32_t place, const std::uint8_t* from, std::uint32_t quads);
  std::string text(const Arrival& arrival) const;

  DmaState& state_;
  DmaLocalFifo& local_;
  std::array<Queue, kFifos> queues_{};
  std::uint64_t held_ = 0;     ///< packets in the queues
  std::uint32_t waiting_ = 0;  ///< bit f: FIFO f holds packets
  std::uint32_t blocked_ = 0;  ///< bit f: its first packet waits for a reception FIFO
  bool stopped_ = false;       ///< at such a packet (BASE_CONTROL.STOP_IF_FULL)
  bool get_waits_ = false;     ///< stopped at a remote get
  bool get_retries_ = false;   ///< which can be tried again
  std::deque<Write> writes_;
  unsigned answered_ = 0;
  Cycle next_packet_{};
  ServiceOrder order_;
  std::array<unsigned, 2> last_{};  ///< FIFO of the latest packet, of normal and high priority
};

}  // namespace toroid
