// SPDX-License-Identifier: Apache-2.0
#include "hw/core/last_level.h"

#include <algorithm>

namespace toroid {

LastLevel::LastLevel(const MemoryConfig& config, MemoryCounters& counters)
    : latency_(config.last_latency),
      memory_latency_(config.memory_latency),
      memory_line_cycles_(config.memory_line_cycles),
      write_cycles_(config.write_back_cycles),
      victims_(config.is_exclusive()),
      counters_(counters),
      sets_(config.last_lines(), config.last_usable_ways()) {}

CoreCycle LastLevel::occupy(CoreCycle at, unsigned cycles) {
  const CoreCycle begin = std::max(memory_free_, at);
  memory_free_ = begin + cycles;
  return begin;
}

CoreCycle LastLevel::read(std::uint32_t line, CoreCycle at) {
  if (sets_.contains(line)) {
    ++counters_.last_hits;
    return latency_;
  }
  ++counters_.memory_reads;
  if (!victims_ && sets_.fill(line, false).dirty) ++counters_.memory_writes;
  if (memory_line_cycles_ == 0) return memory_latency_;
  return occupy(at, memory_line_cycles_) - at + memory_latency_;
}

void LastLevel::put(std::uint32_t line, bool dirty, CoreCycle at) {
  if (sets_.contains(line)) {
    if (dirty) sets_.mark(line, true);
  } else if ((victims_ ? sets_.fill_vacant(line, dirty) : sets_.fill(line, dirty)).dirty) {
    write_memory(at);
  }
}

void LastLevel::write_memory(CoreCycle at) {
  ++counters_.memory_writes;
  if (memory_line_cycles_ != 0) occupy(at, write_cycles_);
}

bool LastLevel::invalidate(std::uint32_t first, std::uint32_t last) {
  return victims_ && sets_.remove_range(first, last, [](std::uint32_t) {});
}

}  // namespace toroid
