// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "nic/bgp/dma_state.h"

namespace toroid {

/// The DMA's FIFO for messages inside the node: packets come out whole, one after the other, at a rate of its own.
class DmaLocalFifo {
 public:
  explicit DmaLocalFifo(DmaState& state) : state_(state) {}

  /// The FIFO holds no more than its watermark.
  bool has_room() const {
    using namespace bgp_dma_dcr;
    const std::uint32_t watermark = local_injection_service::kWatermark.of(state_.dcr.at(kLocalInjectionService));
    return held_ * TORUS_CHUNK_QUADS <= watermark;
  }
  void reserve(unsigned chunks) { held_ += chunks; }
  void cancel(unsigned chunks) { held_ -= chunks; }
  /// The packet has been read from memory: it comes out when its bytes have passed.
  void push(Packet& packet) {
    const Cycle begin = free_ > state_.now() ? free_ : state_.now();
    free_ = begin + wire_time(LinkBytes{TORUS_CHUNK_BYTES} * packet.chunks, state_.config.local_bytes_per_cycle);
    packet.tail = free_;
    ++state_.counted.packets_local;
    state_.outside.wake(free_);
  }
  /// The receiver has taken it.
  void taken(unsigned chunks) { held_ -= chunks; }

  unsigned chunks() const { return held_; }

 private:
  DmaState& state_;
  unsigned held_ = 0;  ///< chunks, with those that will come
  Cycle free_{};
};

}  // namespace toroid
