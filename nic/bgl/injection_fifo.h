// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "nic/common/timed_count.h"
#include "torus/torus/packet.h"

namespace toroid {

/// One injection FIFO: the packet that is being written quad by quad, the packets that wait for the router, and the
/// packet that the router holds.
///
/// This class only keeps the state; the device decides when packets go to the router and what is an error.
class InjectionFifo {
 public:
  explicit InjectionFifo(unsigned depth) : depth_(depth) {}

  /// Whether a quad written at `when` certainly fits. If false, it may still fit, because not all departures are known
  /// yet.
  bool has_room(sc_core::sc_time when) const { return !begins_chunk() || held_.at_most(when) < depth_; }

  bool begins_packet() const { return writing_ == nullptr; }
  /// The next quad is the first of a chunk.
  bool begins_chunk() const { return quads_ % 2 == 0; }
  /// Starts a packet whose header fields the caller has decoded; its contents are added by write().
  void begin(Packet& packet) {
    writing_ = &packet;
    quads_ = 0;
  }
  /// Adds a quad at `when`. Returns the packet if that was its last quad, otherwise nullptr.
  Packet* write(const std::uint8_t* quad, sc_core::sc_time when);

  /// The partly written packet, or nullptr; the number of its quads, and the time of the last one.
  const Packet* unfinished() const { return writing_; }
  unsigned quads_written() const { return quads_; }
  sc_core::sc_time last_write() const { return last_write_; }
  /// Quads of the last complete packet; 0 if there was none.
  unsigned last_packet_quads() const { return last_packet_quads_; }

  /// Appends a packet that is complete at cycle `ready` to those that wait for the router.
  void push(Packet& packet, Cycle ready);
  /// The packet to hand over next; nullptr if none waits or the router still holds one.
  Packet* pop();
  /// The router has sent the packet that it held: from cycle `at`, which is time `when`, its chunks are free.
  void taken(unsigned chunks, Cycle at, sc_core::sc_time when);
  /// The cycle from which the packet returned by pop() may be handed over.
  Cycle handover(const Packet& packet) const { return packet.injected > free_from_ ? packet.injected : free_from_; }

  /// Occupied chunks at `when`, including whole chunks of the packet that is being written.
  unsigned chunks(sc_core::sc_time when) const { return held_.at(when); }
  /// The same; times before `now` will not be asked for again.
  unsigned settle(const sc_core::sc_time& now) { return held_.settle(now); }
  /// Calls `tell(at)` for each change of that number that comes after `now` and is known already.
  template <typename Tell>
  void each_change_after(const sc_core::sc_time& now, Tell tell) const {
    held_.each_after(now, tell);
  }

  /// Calls `drop(packet)` for each packet that has not been handed over, and removes them from time `when` on.
  template <typename Drop>
  void clear(sc_core::sc_time when, Drop drop) {
    if (writing_ != nullptr) {
      held_.change(when, -static_cast<int>(quads_ / 2));
      drop(*writing_);
      writing_ = nullptr;
      quads_ = 0;
    }
    while (first_ != nullptr) {
      Packet& packet = *first_;
      first_ = packet.next;
      held_.change(when, -static_cast<int>(packet.chunks));
      drop(packet);
    }
    last_ = nullptr;
  }

 private:
  unsigned depth_;
  TimedCount held_;
  Packet* writing_ = nullptr;
  unsigned quads_ = 0;  ///< of the packet that is being written
  sc_core::sc_time last_write_;
  unsigned last_packet_quads_ = 0;
  Packet* first_ = nullptr;
  Packet* last_ = nullptr;
  bool router_has_one_ = false;
  Cycle free_from_ = 0;  ///< cycle from which the router can hold another packet
};

}  // namespace toroid
