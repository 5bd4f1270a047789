// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "nic/common/timed_count.h"
#include "torus/torus/packet.h"

namespace toroid {

/// One reception FIFO: the packets that have arrived, of which the first is read quad by quad.
///
/// This class only keeps the state; the device converts cycles to times and returns tokens.
class ReceptionFifo {
 public:
  /// `packet` is complete at cycle `at`, which is time `when`; not before its predecessor.
  void push(Packet& packet, Cycle at, sc_core::sc_time when);

  /// The packet at the head, or nullptr. Its `tail` is the cycle at which it can be read.
  const Packet* head() const { return first_; }

  /// Quads of that packet that were read.
  unsigned quads_read() const { return quads_; }
  /// Time at which a quad was last read; zero if none was.
  sc_core::sc_time last_read() const { return last_read_; }
  /// Quads of the last packet that was read completely; 0 if there was none.
  unsigned last_packet_quads() const { return last_packet_quads_; }

  struct Taken {
    bool chunk_free;   ///< the quad was the last of its chunk
    Packet* finished;  ///< if the quad was the packet's last: the packet, which the caller owns now; otherwise nullptr
  };
  /// Takes the next quad of the packet at the head, at `when`.
  Taken read(std::uint8_t* quad, sc_core::sc_time when);

  /// Chunks that can be read at `when`: those of whole packets, minus the chunks of the first one that were read.
  unsigned chunks(sc_core::sc_time when) const { return held_.at(when); }
  /// The same; times before `now` will not be asked for again.
  unsigned settle(const sc_core::sc_time& now) { return held_.settle(now); }
  /// Calls `tell(at)` for each change of that number that comes after `now` and is known already.
  template <typename Tell>
  void each_change_after(const sc_core::sc_time& now, Tell tell) const {
    held_.each_after(now, tell);
  }

  /// Calls `drop(packet, chunks)` for each packet that has arrived by `when`, with its unread chunks, and removes them.
  template <typename Drop>
  void clear(Cycle by, sc_core::sc_time when, Drop drop) {
    while (first_ != nullptr && first_->tail <= by) {
      Packet& packet = *first_;
      const unsigned left = packet.chunks - quads_ / 2;
      first_ = packet.next;
      quads_ = 0;
      held_.change(when, -static_cast<int>(left));
      drop(packet, left);
    }
    if (first_ == nullptr) last_ = nullptr;
  }

 private:
  TimedCount held_;
  Packet* first_ = nullptr;
  Packet* last_ = nullptr;
  unsigned quads_ = 0;  ///< of the first packet that were read
  sc_core::sc_time last_read_;
  unsigned last_packet_quads_ = 0;
};

}  // namespace toroid
