// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

/// Parameters of the DMA engine, named as in the sections dma and torus_fifo of machine descriptions. Cycles are the
/// network's.
struct DmaConfig {
  unsigned start_cycles;           ///< from a descriptor being there to the first request for its message
  unsigned deliver_cycles;         ///< from a packet's last byte in a torus FIFO to the request to write it
  unsigned memory_latency;         ///< of each request to memory, beside its bandwidth
  unsigned packet_cycles;          ///< from packet to packet, of each side
  unsigned outstanding_packets;    ///< packets whose bytes are being read from memory
  unsigned write_buffers;          ///< packets that are being written to memory
  unsigned local_bytes_per_cycle;  ///< of messages inside the node
  /// Depth of each torus FIFO in chunks. Assembly passes it on to the network (TorusConfig::reception_depth).
  unsigned torus_fifo_depth;

  void visit_parameters(ParameterVisitor& visitor);
};

/// What the engine has done since the start.
struct DmaCounters {
  std::uint64_t descriptors = 0;       ///< read from injection FIFOs
  std::uint64_t messages = 0;          ///< completely read from memory
  std::uint64_t packets_injected = 0;  ///< to the torus
  std::uint64_t packets_received = 0;  ///< from the torus
  std::uint64_t packets_local = 0;     ///< inside the node
  std::uint64_t bytes_read = 0;        ///< of messages
  std::uint64_t bytes_written = 0;     ///< to counters' buffers and reception FIFOs
  std::uint64_t remote_gets = 0;       ///< descriptors that came by the network
  std::uint64_t waits_for_fifo = 0;    ///< packets that found their reception FIFO full
  std::uint64_t counter_errors = 0;    ///< counters that went below zero or above 2^32 - 1
  std::uint64_t refused = 0;           ///< violations of rules (docs/guide/bgp_dma.md)
  std::uint64_t bad_access = 0;        ///< accesses to registers that there are not, or of another size

  DmaCounters& operator+=(const DmaCounters& other) {
    for (const auto each : {&DmaCounters::descriptors, &DmaCounters::messages, &DmaCounters::packets_injected,
                            &DmaCounters::packets_received, &DmaCounters::packets_local, &DmaCounters::bytes_read,
                            &DmaCounters::bytes_written, &DmaCounters::remote_gets, &DmaCounters::waits_for_fifo,
                            &DmaCounters::counter_errors, &DmaCounters::refused, &DmaCounters::bad_access})
      this->*each += other.*each;
    return *this;
  }
};

}  // namespace toroid
