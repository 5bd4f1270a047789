// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/base/time.h"
#include "torus/torus/packet.h"

namespace toroid {

/// What a router asks of the unit that combines and spreads the packets of its collective channels. All calls come
/// while the router settles.
class CollectiveUnit {
 public:
  /// A packet has become the head of a queue of a collective channel or of one of the unit's FIFOs, or a reception FIFO
  /// has room again.
  virtual void wake() = 0;
  /// The packet for the link of `port` on `channel` is gone.
  virtual void slot_free(unsigned port, unsigned channel) = 0;
  /// A packet is in reception FIFO `fifo` of the unit at cycle `at`: see LocalPort::packet_received.
  virtual void received(Packet& packet, unsigned fifo, Cycle at) = 0;
  /// The packet of FIFO `fifo` has been taken: see LocalPort::injection_taken.
  virtual void packet_taken(unsigned fifo, unsigned chunks, Cycle at) = 0;

 protected:
  ~CollectiveUnit() = default;
};

}  // namespace toroid
