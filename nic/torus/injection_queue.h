// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "torus/torus/packet.h"

namespace toroid {

/// An injection FIFO of the network behind a DMA engine: it hands one packet at a time to the router.
class InjectionQueue {
 public:
  /// A packet of so many chunks will come.
  void reserve(unsigned chunks) { held_ += chunks; }
  /// It will not come after all.
  void cancel(unsigned chunks) { held_ -= chunks; }
  /// It is there: packets in the order of reserve(). Returns what the router gets now, or nullptr.
  Packet* push(Packet& packet) {
    packet.next = nullptr;
    (last_ != nullptr ? last_->next : first_) = &packet;
    last_ = &packet;
    return hand_over();
  }
  /// The router has sent the packet of so many chunks that it had. Returns what it gets now, or nullptr.
  Packet* taken(unsigned chunks) {
    held_ -= chunks;
    router_has_one_ = false;
    return hand_over();
  }

  /// Chunks, with those that will come.
  unsigned chunks() const { return held_; }
  /// Packets that wait for the router.
  unsigned waiting() const {
    unsigned count = 0;
    for (const Packet* packet = first_; packet != nullptr; packet = packet->next) ++count;
    return count;
  }

 private:
  Packet* hand_over() {
    if (router_has_one_ || first_ == nullptr) return nullptr;
    Packet* const packet = std::exchange(first_, first_->next);
    if (first_ == nullptr) last_ = nullptr;
    packet->next = nullptr;
    router_has_one_ = true;
    return packet;
  }

  Packet* first_ = nullptr;
  Packet* last_ = nullptr;
  unsigned held_ = 0;
  bool router_has_one_ = false;
};

}  // namespace toroid
