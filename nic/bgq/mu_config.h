// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

/// Parameters of the Messaging Unit, named as in section mu of machine descriptions. Cycles are the network's.
struct MuConfig {
  unsigned clock_mhz;       ///< of the unit: counts the intervals of RME_WAIT_FULL
  unsigned start_cycles;    ///< from a descriptor being there to the first request for its message
  unsigned deliver_cycles;  ///< from a packet's last byte in a network FIFO to the request to write it
  unsigned memory_latency;  ///< of each request to memory, beside its bandwidth
  unsigned packet_cycles;   ///< from packet to packet, of each engine
  unsigned engine_packets;  ///< packets of an engine that are being read, or written
  /// Depth of each network FIFO in chunks. Assembly passes it on to the network (TorusConfig::reception_depth).
  unsigned torus_fifo_depth;

  void visit_parameters(ParameterVisitor& visitor);
};

/// What the unit has done since the start.
struct MuCounters {
  std::uint64_t descriptors = 0;       ///< read from injection FIFOs
  std::uint64_t messages = 0;          ///< completely read from memory
  std::uint64_t packets_injected = 0;  ///< to the network
  std::uint64_t packets_local = 0;     ///< of these, for the node itself
  std::uint64_t packets_received = 0;  ///< from the network
  std::uint64_t bytes_read = 0;        ///< of messages
  std::uint64_t bytes_written = 0;     ///< of puts and to reception FIFOs
  std::uint64_t remote_gets = 0;       ///< descriptors that came in packets
  std::uint64_t atomics = 0;           ///< operations on memory: counters of puts, payloads of 8 bytes
  std::uint64_t waits_for_fifo = 0;    ///< packets that found their FIFO full
  std::uint64_t refused = 0;           ///< violations of rules (docs/guide/bgq_mu.md)
  std::uint64_t bad_access = 0;        ///< accesses to registers that are refused

  MuCounters& operator+=(const MuCounters& other) {
    for (const auto each :
         {&MuCounters::descriptors, &MuCounters::messages, &MuCounters::packets_injected, &MuCounters::packets_received,
          &MuCounters::packets_local, &MuCounters::bytes_read, &MuCounters::bytes_written, &MuCounters::remote_gets,
          &MuCounters::atomics, &MuCounters::waits_for_fifo, &MuCounters::refused, &MuCounters::bad_access})
      this->*each += other.*each;
    return *this;
  }
};

}  // namespace toroid
