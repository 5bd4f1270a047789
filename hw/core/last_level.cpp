// SPDX-License-Identifier: Apache-2.0
#include "hw/core/last_level.h"

#include <algorithm>
#include <cmath>

namespace toroid {
namespace {

constexpr std::uint64_t kSixteenths = 16;  // the share of a line that one of many processes has is a whole number

}  // namespace

LastLevel::LastLevel(const MemoryConfig& config, MemoryCounters& counters)
    : latency_(config.last_latency),
      memory_latency_(config.memory_latency),
      memory_line_(static_cast<std::uint64_t>(std::llround(config.memory_line_cycles * kSixteenths))),
      write_line_(config.is_exclusive() ? config.write_back_cycles * kSixteenths : memory_line_),
      victims_(config.is_exclusive()),
      counters_(counters),
      sets_(config.last_lines(), config.last_usable_ways()) {}

CoreCycle LastLevel::occupy(CoreCycle at, std::uint64_t sixteenths) {
  const std::uint64_t begin = std::max(memory_free_, at.count() * kSixteenths);
  memory_free_ = begin + sixteenths;
  return CoreCycle{(begin + kSixteenths - 1) / kSixteenths};
}

CoreCycle LastLevel::read(std::uint32_t line, CoreCycle at) {
  if (sets_.contains(line)) {
    ++counters_.last_hits;
    return latency_;
  }
  ++counters_.memory_reads;
  const CoreCycle begin = memory_line_ == 0 ? at : occupy(at, memory_line_);
  if (!victims_) replace(sets_.fill(line, false), at);
  return begin - at + memory_latency_;
}

CoreCycle LastLevel::store(std::uint32_t line, bool reads, CoreCycle at) {
  if (sets_.contains(line)) {
    sets_.mark(line, true);
    return at;
  }
  CoreCycle begin = at;
  if (reads) {
    ++counters_.memory_reads;
    begin = occupy(at, memory_line_);
  }
  const CacheSets::Victim victim = sets_.fill(line, true);
  replace(victim, at);
  if (!reads && victim.dirty) begin = CoreCycle{(memory_free_ - write_line_ + kSixteenths - 1) / kSixteenths};
  return begin;
}

void LastLevel::replace(const CacheSets::Victim& victim, CoreCycle at) {
  if (!victim.dirty) return;
  write_memory(at);
  if (memory_line_ != 0) written_.push_back(victim.line);
}

void LastLevel::put(std::uint32_t line, bool dirty, CoreCycle at) {
  if (sets_.contains(line)) {
    if (dirty) sets_.mark(line, true);
  } else if (victims_) {
    if (sets_.fill_vacant(line, dirty).dirty) write_memory(at);
  } else {
    replace(sets_.fill(line, dirty), at);
  }
}

void LastLevel::write_memory(CoreCycle at) {
  ++counters_.memory_writes;
  if (memory_line_ != 0) occupy(at, write_line_);
}

bool LastLevel::invalidate(std::uint32_t first, std::uint32_t last) {
  return victims_ && sets_.remove_range(first, last, [](std::uint32_t) {});
}

}  // namespace toroid
