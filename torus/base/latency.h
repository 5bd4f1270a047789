// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/torus/config.h"

namespace toroid {

/// Bytes a packet occupies on a wire.
inline LinkBytes wire_bytes(const TorusConfig& config, unsigned chunks) {
  return LinkBytes{kChunkBytes * chunks} + config.wire_overhead;
}

/// Cycles a packet occupies a link (and its crossbar path) of direction `direction`.
inline Cycle wire_cycles(const TorusConfig& config, unsigned direction, unsigned chunks) {
  const unsigned width = config.direction_bytes_per_cycle[direction] ? config.direction_bytes_per_cycle[direction]
                                                                     : config.link_bytes_per_cycle;
  return wire_time(wire_bytes(config, chunks), width);
}

/// Cycles from a header's arbitration in one router to its arbitration in the next. A hop pays the arbiter once, in
/// the router that sends; local delivery passes no arbiter.
inline Cycle hop_cycles(const TorusConfig& config) {
  return Cycle{config.arbiter_cycles} + config.sender_cycles + config.link_cycles + config.receiver_cycles;
}

/// Cycles from the tail leaving a buffer to its tokens counting at the upstream sender: they ride on the reverse
/// link's acknowledgements and need no arbitration.
inline Cycle token_cycles(const TorusConfig& config) {
  return Cycle{config.sender_cycles} + config.link_cycles + config.receiver_cycles;
}

/// Cycles from the packet being in the injection FIFO to its last byte counting in the reception FIFO, on an idle
/// network of links of one width. (Where widths differ, the slowest link of the route stands for all.)
inline Cycle zero_load_latency(const TorusConfig& config, unsigned hops, unsigned chunks) {
  const unsigned width = config.link_bytes_per_cycle;
  return Cycle{config.injection_cycles} + hop_cycles(config) * hops + wire_time(wire_bytes(config, chunks), width) +
         config.reception_cycles;
}

}  // namespace toroid
