// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/core/cache.h"
#include "hw/core/core_counters.h"
#include "hw/core/memory_config.h"
#include "torus/base/time.h"

namespace toroid {

/// The last level of cache, of which a core has its share, and main memory behind it.
///
/// One that lies before memory keeps every line that is read or written. One that holds what the levels before it have
/// replaced (MemoryConfig::Levels::victim) is filled by put() alone, and a line that is read leaves it.
class LastLevel {
 public:
  LastLevel(const MemoryConfig& config, MemoryCounters& counters);

  /// A line is read at cycle `at`. Returns the cycles until what it carries can be used.
  CoreCycle read(std::uint32_t line, CoreCycle at);
  /// A line is written, or, dirty or not, has been replaced in the level before.
  void put(std::uint32_t line, bool dirty, CoreCycle at);
  /// A victim level: the line is in the core's other levels from now on. Returns whether it was here, and dirty.
  CacheSets::Victim take(std::uint32_t line) { return sets_.remove(line); }
  /// A line that no level holds any more goes to memory.
  void write_memory(CoreCycle at);

  /// Takes out what a bus master writes, if the level does not lie before memory itself. Returns whether it held some.
  bool invalidate(std::uint32_t first, std::uint32_t last);
  bool holds(std::uint32_t first, std::uint32_t last) const { return victims_ && sets_.contains_any(first, last); }

 private:
  /// Memory is free for a line when this returns.
  CoreCycle occupy(CoreCycle at, unsigned cycles);

  const CoreCycle latency_;
  const CoreCycle memory_latency_;
  const unsigned memory_line_cycles_;
  const unsigned write_cycles_;
  const bool victims_;
  MemoryCounters& counters_;
  CacheSets sets_;
  CoreCycle memory_free_ = 0;
};

}  // namespace toroid
