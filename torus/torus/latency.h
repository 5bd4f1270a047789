// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/torus/config.h"

namespace toroid {

/// Bytes that a packet occupies on a wire.
inline LinkBytes wire_bytes(const TorusConfig& config, const RouterFamily& family, unsigned chunks) {
  return LinkBytes{family.chunk_bytes * chunks} + config.wire_overhead;
}

/// Bytes a cycle of the links of a direction.
inline unsigned link_width(const TorusConfig& config, Direction direction) {
  const unsigned width = config.direction_bytes_per_cycle[direction];
  return width ? width : config.link_bytes_per_cycle;
}

/// Cycles a packet occupies a link (and its crossbar path) of direction `direction`.
inline Cycle wire_cycles(const TorusConfig& config, const RouterFamily& family, Direction direction, unsigned chunks) {
  return wire_time(wire_bytes(config, family, chunks), link_width(config, direction));
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
/// network: of `hops` hops, over links of which the slowest moves `width` bytes a cycle.
inline Cycle zero_load_latency(const TorusConfig& config, const RouterFamily& family, unsigned hops, unsigned chunks,
                               unsigned width) {
  return Cycle{config.injection_cycles} + hop_cycles(config) * hops +
         wire_time(wire_bytes(config, family, chunks), width) + config.reception_cycles;
}
/// The same where all links are alike.
inline Cycle zero_load_latency(const TorusConfig& config, const RouterFamily& family, unsigned hops, unsigned chunks) {
  return zero_load_latency(config, family, hops, chunks, config.link_bytes_per_cycle);
}

}  // namespace toroid
