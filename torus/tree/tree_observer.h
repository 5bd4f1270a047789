// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/tree/packet.h"

namespace toroid {

/// Observes every packet's way through a tree; see TorusObserver.
class TreeObserver {
 public:
  /// The whole packet is in the injection FIFO of `vc` at cycle `at`.
  virtual void on_injected(std::uint32_t node, unsigned vc, const TreePacket& packet, Cycle at) = 0;
  /// `absorbed` is combined with others of its class; `into` goes on, also absorbed further.
  virtual void on_combined(std::uint32_t node, unsigned vc, const TreePacket& into, const TreePacket& absorbed,
                           Cycle now) = 0;
  /// It goes out by `port`, a channel or kTreeLocal: into the reception FIFO. `tail_left`: its last byte has left the
  /// router. Of a packet that link errors let go several times, the one that the receiver takes.
  virtual void on_sent(std::uint32_t node, unsigned vc, unsigned port, const TreePacket& packet, Cycle begin,
                       Cycle tail_left) = 0;

 protected:
  ~TreeObserver() = default;
};

}  // namespace toroid
