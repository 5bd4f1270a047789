// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/time.h"

namespace toroid {

/// Caches and memory as a core sees them. Latencies in core cycles from a load's issue to the use of its value.
/// Sources: the `cache` part of hw/machines/*.yaml.
struct MemoryConfig {
  std::uint32_t l1_bytes = 32u << 10;  ///< of data, and as much of code
  unsigned l1_ways = 64;
  unsigned load_misses = 4;        ///< outstanding
  unsigned line_fills = 3;         ///< outstanding
  unsigned write_back_cycles = 4;  ///< of the way to the third level, a line
  unsigned flush_line_cycles = 4;  ///< of a whole flush, a line
  std::uint32_t l2_bytes = 2u << 10;
  unsigned l2_latency = 11;
  unsigned l2_streams = 7;
  unsigned l2_depth = 2;              ///< lines ahead of a stream
  unsigned l2_line_cycles = 30;       ///< a line of a stream every so many
  std::uint32_t l3_bytes = 4u << 20;  ///< this core's share
  unsigned l3_ways = 8;
  unsigned l3_latency = 35;
  unsigned memory_latency = 86;

  /// Throws std::invalid_argument where there is no such cache.
  void validate() const;
};

}  // namespace toroid
