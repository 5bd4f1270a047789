// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/torus/packet.h"

namespace toroid {

/// What a router asks of the device at its node. Both calls come ahead of the time they speak of: `at` is later than
/// the cycle that runs. The device may call Router::inject and Router::return_tokens from within them.
class LocalPort {
 public:
  /// `packet` goes into reception FIFO `fifo` (group * (2n+1) + arriving direction, or 2n for priority); its last byte
  /// is there and counted at cycle `at`. The packet is the device's now.
  virtual void packet_received(Packet& packet, unsigned fifo, Cycle at) = 0;

  /// The packet of injection FIFO `fifo` has been sent: at cycle `at` its last byte leaves the FIFO, `chunks` are free
  /// there, and the next packet may be handed over (with that cycle or a later one).
  virtual void injection_taken(unsigned fifo, unsigned chunks, Cycle at) = 0;

 protected:
  ~LocalPort() = default;
};

}  // namespace toroid
