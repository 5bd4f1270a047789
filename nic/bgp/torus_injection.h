// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgp/dma_state.h"
#include "nic/torus/injection_queue.h"

namespace toroid {

/// The eight torus injection FIFOs behind the DMA: two groups of N0, N1, N2 and the high-priority one. Each hands one
/// packet at a time to the router.
class TorusInjection {
 public:
  static constexpr unsigned kFifos = 8;
  static constexpr unsigned kOfAGroup = 4;

  explicit TorusInjection(DmaState& state) : state_(state) {}

  /// The FIFO of `map` (FIFO 0 is the most significant of 8 bits) for a packet of `chunks`: of those that hold no more
  /// than their watermark and have room the emptiest, and among those the first; nullopt if there is none.
  std::optional<unsigned> choose(std::uint8_t map, unsigned chunks) const;
  /// A packet will come.
  void reserve(unsigned fifo, unsigned chunks) { fifos_[fifo].reserve(chunks); }
  /// A packet will not come after all.
  void cancel(unsigned fifo, unsigned chunks) { fifos_[fifo].cancel(chunks); }
  /// It is there: packets of one FIFO in the order of reserve().
  void push(unsigned fifo, Packet& packet);
  /// The router has sent the FIFO's packet.
  void taken(unsigned fifo, unsigned chunks);

  unsigned chunks(unsigned fifo) const { return fifos_[fifo].chunks(); }
  /// Packets that wait for the router.
  unsigned waiting() const;

 private:
  void hand_over(unsigned fifo, Packet* packet);

  DmaState& state_;
  std::array<InjectionQueue, kFifos> fifos_{};
};

}  // namespace toroid
