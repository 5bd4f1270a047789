// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/core/cache.h"
#include "hw/core/core_counters.h"
#include "hw/core/last_level.h"
#include "hw/core/memory_config.h"
#include "hw/core/stream_buffer.h"
#include "torus/base/time.h"

namespace toroid {

/// What lies behind a core's first level, by MemoryConfig::Levels: a prefetch buffer and the last level; or a second
/// level that holds what the first has replaced, beside it a prefetch buffer, and a last level that holds what the
/// second has replaced. Addresses are physical.
///
/// With victim levels, a line is in one level at a time, and dirty there if it differs from memory: a hit moves it into
/// the first level, whose victim moves into the second, whose victim moves into the last. Lines of code leave a copy in
/// the last level, where other cores find them.
class OuterLevels {
 public:
  enum class Use : std::uint8_t { data, code };
  struct Line {
    CoreCycle ready = 0;  ///< when what it carries can be used
    bool dirty = false;
  };

  OuterLevels(const MemoryConfig& config, MemoryCounters& counters);

  /// Software has changed what the streams of the prefetch buffer do.
  void set_prefetch(const PrefetchControl& control) { streams_.set_control(control); }
  /// A first level asks for a line at cycle `at`.
  Line read(std::uint64_t address, Use use, CoreCycle at);
  /// A first level has replaced a line.
  void put(std::uint64_t address, bool dirty, CoreCycle at);
  /// A store reaches the last level, which lies before memory: LastLevel::store().
  CoreCycle store(std::uint64_t address, bool reads, CoreCycle at) {
    return last_.store(last_number_of(address), reads, at);
  }
  CacheSets::State last_state(std::uint64_t address) const { return last_.state(last_number_of(address)); }
  /// Calls each(address, bytes) for lines that the last level has written to memory since the last call.
  template <typename Each>
  void take_written(Each&& each) {
    last_.take_written([&](std::uint32_t line) { each(line_behind_.address(line), line_behind_.bytes()); });
  }
  /// The first level makes a line without reading it.
  void drop(std::uint64_t address);
  /// A first level writes a dirty line back and keeps it.
  void write_back(std::uint64_t address, CoreCycle at);
  /// A cache instruction has taken the line, `dirty` or not, out of the first level: victim levels do the same. Returns
  /// whether one held it.
  bool flush(std::uint64_t address, bool dirty, CoreCycle at);

  /// Takes out the lines of [address, address + bytes), but from a last level that lies before memory itself. Returns
  /// whether there was one.
  bool invalidate(std::uint64_t address, std::uint64_t bytes);
  /// Whether they hold some of it.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;

 private:
  std::uint32_t last_number_of(std::uint64_t address) const {
    return static_cast<std::uint32_t>(line_behind_.number(address));
  }
  std::uint32_t number_of(std::uint64_t address) const { return static_cast<std::uint32_t>(line_.number(address)); }

  const LineSize line_;         ///< of the victim levels
  const LineSize line_behind_;  ///< of the last level
  const unsigned second_latency_;
  MemoryCounters& counters_;
  LastLevel last_;
  StreamBuffer streams_;
  std::optional<CacheSets> second_;  ///< with victim levels
};

}  // namespace toroid
