// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

/// Caches and memory as a core sees them. Latencies in core cycles from a load's issue to the use of its value. What
/// each parameter is: visit_parameters(); values and sources: the section cache of hw/machines/*.yaml.
struct MemoryConfig {
  bool modelled;  ///< otherwise every access is a hit, nothing is held, and nothing is counted
  std::uint32_t l1_bytes;
  unsigned l1_ways;
  enum class Writes : std::uint8_t { back, through };
  Writes l1_writes;       ///< what it does to the first level: write_policy.h
  unsigned store_cycles;  ///< with Writes::through
  unsigned load_misses;
  unsigned line_fills;
  unsigned write_back_cycles;
  unsigned flush_line_cycles;
  std::uint32_t l2_bytes;  ///< 0 if there is no prefetch buffer
  unsigned l2_latency;
  unsigned l2_streams;
  unsigned l2_depth;
  unsigned l2_line_cycles;
  std::uint32_t l3_bytes;  ///< in the end this core's share
  unsigned l3_ways;
  unsigned l3_latency;
  unsigned memory_latency;

  void visit_parameters(ParameterVisitor& visitor);
  /// Throws ParameterError where there is no such cache.
  void validate() const;
};

}  // namespace toroid
