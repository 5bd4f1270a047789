// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "torus/torus/packet.h"

namespace toroid {

/// Observes every packet's way through a torus, for records of what happened. A torus without one pays a look at a
/// null pointer where a packet steps.
///
/// Calls come in the order in which the simulator works, which may be ahead of the times they tell.
class TorusObserver {
 public:
  /// A core of `node` has written the last quad of `packet` to an injection FIFO.
  virtual void on_written(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet,
                          sc_core::sc_time at) = 0;
  /// The packet is the first of its queue in the router of `node`, and asks for a link, or for its reception FIFO.
  virtual void on_asks(std::uint32_t node, const Packet& packet, Cycle now) = 0;
  /// It goes out on a link, on the channel that it has now; `tail_left`: its last byte is on the link.
  /// `damaged`: the receiver will drop it.
  virtual void on_sent(std::uint32_t node, Direction direction, const Packet& packet, Cycle begin, Cycle tail_left,
                       bool damaged) = 0;
  /// It goes to reception FIFO `fifo`, where its last byte is at cycle `at`. `copy`: for the deposit bit; the packet
  /// itself goes on.
  virtual void on_received(std::uint32_t node, unsigned fifo, const Packet& packet, Cycle begin, Cycle at,
                           bool copy) = 0;
  /// A core has read its last quad.
  virtual void on_read(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet, sc_core::sc_time at) = 0;

 protected:
  ~TorusObserver() = default;
};

}  // namespace toroid
