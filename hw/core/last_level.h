// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

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
  /// A store reaches a level that lies before memory, at cycle `at`: the line is dirty from then on. If it was not here
  /// and `reads`, it is fetched. Returns when memory has begun with it.
  CoreCycle store(std::uint32_t line, bool reads, CoreCycle at);
  CacheSets::State state(std::uint32_t line) const { return sets_.state(line); }
  /// Calls each(line) for the lines that have been written to memory since the last call; of a level before memory.
  template <typename Each>
  void take_written(Each&& each) {
    for (const std::uint32_t line : written_) each(line);
    written_.clear();
  }
  /// A victim level: the line is in the core's other levels from now on. Returns whether it was here, and dirty.
  CacheSets::Victim take(std::uint32_t line) { return sets_.remove(line); }
  /// A line that no level holds any more goes to memory.
  void write_memory(CoreCycle at);

  /// Takes out what a bus master writes, if the level does not lie before memory itself. Returns whether it held some.
  bool invalidate(std::uint32_t first, std::uint32_t last);
  bool holds(std::uint32_t first, std::uint32_t last) const { return victims_ && sets_.contains_any(first, last); }

 private:
  /// Memory begins with a line at the cycle that this returns, and is busy with it for `sixteenths` of a cycle.
  CoreCycle occupy(CoreCycle at, std::uint64_t sixteenths);
  /// A level before memory has filled a place: what it held goes to memory if it is dirty.
  void replace(const CacheSets::Victim& victim, CoreCycle at);

  const CoreCycle latency_;
  const CoreCycle memory_latency_;
  const std::uint64_t memory_line_;  ///< sixteenths of a cycle, also of a line that is written:
  const std::uint64_t write_line_;
  const bool victims_;
  MemoryCounters& counters_;
  CacheSets sets_;
  std::uint64_t memory_free_ = 0;  ///< sixteenths of a cycle
  std::vector<std::uint32_t> written_;
};

}  // namespace toroid
