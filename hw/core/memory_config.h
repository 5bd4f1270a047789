// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

/// Caches and memory as a core sees them. Latencies in core cycles from a load's issue to the use of its value. What
/// each parameter is: visit_parameters(); values and sources: the section cache of hw/machines/*.yaml. Those that
/// not all Levels have begin as 0.
struct MemoryConfig {
  /// What lies between a core's first level and memory, and so which parameters and counters there are and what they
  /// are called. The chip chooses it, before parameters are read.
  enum class Levels : std::uint8_t {
    l2_prefetch,   ///< a prefetch buffer called L2, and an L3 before memory
    l1p_prefetch,  ///< a prefetch buffer called L1P, and an L2 before memory
    victim,        ///< L2 and L3 for what the level before has replaced, and a prefetcher beside the L2
  };
  Levels levels = Levels::l2_prefetch;

  bool modelled;  ///< otherwise every access is a hit, nothing is held, and nothing is counted
  std::uint32_t l1_bytes;
  std::uint32_t l1_line;  ///< bytes
  unsigned l1_ways;
  unsigned l1_code_ways;
  enum class Writes : std::uint8_t { back, through };
  Writes l1_writes;       ///< what it does to the first level: write_policy.h
  unsigned store_cycles;  ///< with Writes::through
  unsigned load_misses;
  unsigned line_fills;
  unsigned write_back_cycles;
  unsigned flush_line_cycles;
  std::uint32_t outer_line = 0;  ///< bytes, but with Levels::victim: see line_behind()
  // With Levels::victim.
  std::uint32_t second_bytes = 0;
  unsigned second_ways = 0;
  unsigned second_latency = 0;
  std::uint32_t prefetch_bytes;  ///< 0 if there is no prefetch buffer
  unsigned prefetch_latency;
  unsigned prefetch_streams;
  unsigned prefetch_depth;
  unsigned prefetch_line_cycles;
  std::uint32_t last_bytes;
  unsigned last_ways;
  unsigned last_latency;
  std::uint32_t probe_filter_bytes = 0;  ///< of the last level, which hold none of its lines
  unsigned memory_latency;
  double memory_line_cycles = 0;  ///< in the end this core's share; 0: the prefetch buffer alone limits the rate
  unsigned sharers = 1;           ///< processes that share the last level of Levels::victim

  bool is_exclusive() const { return levels == Levels::victim; }
  /// Bytes of a line behind the first level.
  std::uint32_t line_behind() const { return is_exclusive() ? l1_line : outer_line; }
  /// Of the last level, in the end this core's share.
  std::uint32_t last_usable_ways() const;
  std::uint32_t last_lines() const { return last_bytes / line_behind() / last_ways * last_usable_ways(); }

  /// What a core has where as many processes use the last level and memory.
  void share(unsigned processes);

  void visit_parameters(ParameterVisitor& visitor);
  /// Throws ParameterError where there is no such cache.
  void validate() const;
};

}  // namespace toroid
