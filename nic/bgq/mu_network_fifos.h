// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgq/mu_state.h"
#include "nic/torus/injection_queue.h"

namespace toroid {

/// The sixteen network injection FIFOs. Each hands one packet at a time to the router.
class MuNetworkFifos {
 public:
  explicit MuNetworkFifos(MuState& state) : state_(state) {}

  bool has_room(unsigned fifo, unsigned chunks) const {
    return this->chunks(fifo) + chunks <= state_.config.torus_fifo_depth;
  }
  /// A packet will come.
  void reserve(unsigned fifo, unsigned chunks) { fifos_[fifo].queue.reserve(chunks); }
  /// It is there: packets of one FIFO in the order of reserve().
  void push(unsigned fifo, Packet& packet);
  /// The router has sent the FIFO's packet.
  void taken(unsigned fifo, unsigned chunks);

  unsigned chunks(unsigned fifo) const { return fifos_[fifo].queue.chunks(); }
  /// A bit an engine: there is room for a packet of any size.
  std::uint16_t available() const;
  std::uint32_t checksum(unsigned fifo) const { return fifos_[fifo].checksum; }
  void clear_checksum(unsigned fifo) { fifos_[fifo].checksum = 0; }

 private:
  struct Fifo {
    InjectionQueue queue;
    std::uint32_t checksum = 0;
  };
  void hand_over(unsigned fifo, Packet* packet);

  MuState& state_;
  std::array<Fifo, kMuEngines> fifos_{};
};

}  // namespace toroid
