// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

namespace toroid {

/// Observes the packets that a node's cores write to the networks' FIFOs and that arrive there: for a debugger.
class PacketWatch {
 public:
  enum class Event : std::uint8_t { torus_injected, torus_received, tree_injected, tree_received };

  /// Whether on_packet() is to be called; `fifo` is counted over all groups, or a virtual channel of the tree.
  virtual bool wants(Event event, unsigned fifo) const = 0;
  /// At `when`, which may be later than SystemC's time, `core` has written the whole packet, or it can be read (`core`
  /// then means nothing). `text` says what it is and where.
  virtual void on_packet(Event event, unsigned fifo, unsigned core, sc_core::sc_time when, const std::string& text) = 0;

 protected:
  ~PacketWatch() = default;
};

}  // namespace toroid
