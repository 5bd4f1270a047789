// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

namespace toroid {

/// The FIFOs between software and one network, as a debugger's user names them.
struct PacketFifos {
  std::string network;
  std::vector<std::string> injection;  ///< of a group
  std::vector<std::string> reception;
  unsigned groups;
};

/// Observes the packets that a node's cores write to the networks' FIFOs and that arrive there: for a debugger.
class PacketWatch {
 public:
  enum class Event : std::uint8_t { injected, received };

  /// Called once by each device, which then gives the number that is returned as `network`.
  virtual unsigned add_network(PacketFifos fifos) = 0;
  /// Whether on_packet() is to be called; `fifo` is counted over all groups. FIFOs beyond those of add_network() belong
  /// to the kernel.
  virtual bool wants(unsigned network, Event event, unsigned fifo) const = 0;
  /// At `when`, which may be later than SystemC's time, `core` has written the whole packet, or it can be read (`core`
  /// then means nothing). `text` says what it is and where.
  virtual void on_packet(unsigned network, Event event, unsigned fifo, unsigned core, sc_core::sc_time when,
                         const std::string& text) = 0;

 protected:
  ~PacketWatch() = default;
};

}  // namespace toroid
