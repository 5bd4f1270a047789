// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>

#include "nic/bgq/mu_config.h"
#include "nic/bgq/mu_dcr.h"
#include "nic/bgq/mu_errors.h"
#include "nic/bgq/mu_fifos.h"
#include "nic/bgq/mu_observer.h"
#include "nic/bgq/mu_requests.h"
#include "nic/common/memory_port.h"
#include "torus/base/network_clock.h"
#include "torus/torus/network.h"

namespace toroid {

/// What stands outside the unit: the device with its sockets and events.
class MuOutside {
 public:
  /// To the router: a packet that is in network injection FIFO `fifo` at `at`; chunks of what engine `engine` receives
  /// from that are free at `at`.
  virtual void send_packet(Packet& packet, unsigned fifo, Cycle at) = 0;
  virtual void return_tokens(unsigned engine, unsigned chunks, Cycle at) = 0;
  /// Why a collective packet of this header cannot be sent, or nullptr.
  virtual const char* refusal(const Packet& packet) const = 0;
  /// A violation of a rule that interrupts.
  virtual void fault(MuFault fault) = 0;
  /// The unit has done what is to be done in this cycle: what has changed can be announced.
  virtual void settled() = 0;
  /// Asks for MuEngine::settle() in cycle `at`, later than the present one.
  virtual void wake(Cycle at) = 0;

 protected:
  ~MuOutside() = default;
};

/// What the parts of a Messaging Unit share.
struct MuState {
  MuState(const MuConfig& parameters, AnyTorusNetwork& torus, std::uint32_t number, NetworkClock& network_clock,
          MuOutside& device)
      : config(parameters), network(torus), clock(network_clock), node(number), outside(device) {}

  const MuConfig config;
  AnyTorusNetwork& network;
  NetworkClock& clock;
  const std::uint32_t node;
  MuOutside& outside;
  std::array<MemoryPort*, kMuMasters> memory{};
  MuObserver* observer = nullptr;  ///< nullptr if there is no observer

  MuDcr dcr;
  MuErrors errors{dcr};
  MuFifos fifos{dcr};
  MuRequests requests;
  MuCounters counted;
  std::bitset<kMuSubgroups> changed_pages;  ///< something that a page shows has changed
  bool changed_lines = false;               ///< something that interrupts may follow
  sc_core::sc_time last_active;             ///< when a packet was last read or written
  std::function<void(unsigned fifo, const Packet& packet)>
      packet_watch;  ///< of packets in reception FIFOs; may be none

  Cycle now() const { return network.wheel().now(); }
  sc_core::sc_time when() const { return clock.time_of(now()); }
  /// The time of a request to memory that is made in the present cycle. The network waits for memory's answer there.
  sc_core::sc_time request_time() {
    const Cycle at = now() + config.memory_latency;
    network.wheel().hold(at);
    return clock.time_of(at);
  }
  /// The port to memory that an engine, or the reader of a FIFO's descriptors, uses.
  static unsigned master_of(unsigned engine_or_fifo) { return engine_or_fifo % kMuMasters; }

  void page_changed(unsigned subgroup) {
    changed_pages.set(subgroup);
    changed_lines = true;
  }
  /// Registers that all subgroups of a group show.
  void group_changed(unsigned group) {
    for (unsigned s = 0; s < kMuSubgroupsOfAGroup; ++s) changed_pages.set(group * kMuSubgroupsOfAGroup + s);
    changed_lines = true;
  }
  void everything_changed() {
    changed_pages.set();
    changed_lines = true;
  }
  void announced() {
    changed_pages.reset();
    changed_lines = false;
  }

  /// `text()` says what was violated: it is called only if somebody will read it. `unit` is the master port or the
  /// engine of rules that have a register for each.
  template <typename Text>
  void violated(MuRule rule, unsigned subgroup, unsigned unit, Text text) {
    ++counted.refused;
    changed_lines = true;
    MuFault fault{rule, subgroup, {}};
    if (errors.wants_text(rule, unit)) fault.text = text() + " (" + MuErrors::name(rule) + ")";
    if (errors.report(fault, unit, when())) outside.fault(std::move(fault));
  }
  /// Keeps what lay in no range, for MU-X24 and MU-X25.
  void bad_address(unsigned master, std::uint64_t address, bool system);

  /// The unit has moved a ring.
  void injection_changed(unsigned fifo);
  void reception_changed(unsigned fifo);

  std::string node_text(std::uint32_t number) const {
    return coordinates_text(network.topology().coordinates(number), network.topology().dimensions());
  }
};

}  // namespace toroid
