// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "nic/collective/tree_bank.h"
#include "nic/collective/tree_packet.h"
#include "nic/common/change_log.h"
#include "nic/common/packet_watch.h"
#include "nic/common/time_offset.h"
#include "nic/common/timed_count.h"
#include "torus/base/network_clock.h"
#include "torus/tree/network.h"

namespace toroid {

/// What happened at the device since the start.
struct TreeFifoCounters {
  std::array<std::uint64_t, TREE_VCS> packets_injected{};
  std::array<std::uint64_t, TREE_VCS> packets_received{};
  std::uint64_t status_reads = 0;
  std::uint64_t errors = 0;  ///< refused accesses of any kind
};

/// What the parts of one node's tree device share: its place in the network, its time, and its control registers.
struct TreeFifoNode {
  TreeNetwork& network;
  NetworkClock& clock;
  const std::uint32_t number;
  ChangeLog changes{"changes"};
  std::array<std::uint32_t, tree_dcr::kBlock.words> dcrs{};
  TreeFifoCounters counters{};
  PacketWatch* watch = nullptr;  ///< nullptr if there is no debugger
  unsigned watched_as = 0;       ///< network of the watch
  unsigned core = 0;             ///< that makes the access being served
  unsigned readers = 0;          ///< bit c: core c has read a status word

  TreeRouter& router() const { return network.router(number); }
  /// The depth of each FIFO.
  unsigned packets() const { return network.config().fifo_packets; }
  std::uint32_t& dcr(const RegisterDescription& which, unsigned index = 0) { return dcrs[which.place + index]; }

  /// Waits for the time of the access at work, and brings the network there.
  void synchronise(sc_core::sc_time& delay) {
    const unsigned at_work = core;
    wait_out(delay);
    core = at_work;  // another core's access may have been served meanwhile
    clock.sync_to(sc_core::sc_time_stamp());
  }
  /// The first network cycle that can see what a core does at `when`.
  Cycle cycle_behind(sc_core::sc_time when) const { return cycle_begun(when, clock.mhz()) + 1; }

  /// A change that the network makes.
  void announce(Cycle at) {
    const sc_core::sc_time when = clock.time_of(at);
    // SystemC's time has to come to this cycle before the network passes it, unless it is there already.
    if (when > sc_core::sc_time_stamp()) network.wheel().hold(at);
    changes.add(when);
  }
  /// A change that the core at work makes. Only a core that has read a status word before can be parked at one.
  void announce(sc_core::sc_time at) {
    if ((readers & ~(1u << core)) != 0) changes.add(at);
  }
  void tell_watch(PacketWatch::Event event, unsigned vc, sc_core::sc_time when, const TreePacket& packet) const {
    if (watch == nullptr || !watch->wants(watched_as, event, vc)) return;
    const bool injected = event == PacketWatch::Event::injected;
    watch->on_packet(watched_as, event, vc, core, when,
                     "a packet of class " + std::to_string(tree_header_class(packet.header)) + " is in the " +
                         (injected ? "injection" : "reception") + " FIFOs of tree VC" + std::to_string(vc));
  }
};

}  // namespace toroid
