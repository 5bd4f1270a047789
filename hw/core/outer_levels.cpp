// SPDX-License-Identifier: Apache-2.0
#include "hw/core/outer_levels.h"

namespace toroid {

OuterLevels::OuterLevels(const MemoryConfig& config, MemoryCounters& counters)
    : line_(config.l1_line),
      line_behind_(config.line_behind()),
      second_latency_(config.second_latency),
      counters_(counters),
      last_(config, counters),
      streams_(config, last_, counters) {
  if (config.is_exclusive()) second_.emplace(config.second_bytes / config.l1_line, config.second_ways);
}

OuterLevels::Line OuterLevels::read(std::uint64_t address, Use use, CoreCycle at) {
  if (!second_) return {streams_.read(address, at), false};
  const std::uint32_t line = number_of(address);
  if (const CacheSets::Victim found = second_->remove(line); found.present) {
    ++counters_.second_hits;
    return {at + second_latency_, found.dirty};
  }
  const CoreCycle ready = streams_.read(address, at);
  return {ready, use == Use::data && last_.take(line).dirty};
}

void OuterLevels::put(std::uint64_t address, bool dirty, CoreCycle at) {
  if (!second_) {
    if (dirty) streams_.write(address, at);
    return;
  }
  if (dirty) ++counters_.write_backs;
  const std::uint32_t line = number_of(address);
  if (second_->contains(line)) {
    if (dirty) second_->mark(line, true);
    return;
  }
  const CacheSets::Victim victim = second_->fill_vacant(line, dirty);
  if (victim.present) last_.put(victim.line, victim.dirty, at);
}

void OuterLevels::drop(std::uint64_t address) {
  if (!second_) return;
  second_->remove(number_of(address));
  last_.take(number_of(address));
}

void OuterLevels::write_back(std::uint64_t address, CoreCycle at) {
  if (!second_) return streams_.write(address, at);
  last_.write_memory(at);
}

bool OuterLevels::flush(std::uint64_t address, bool dirty, CoreCycle at) {
  if (!second_) {
    if (dirty) streams_.write(address, at);
    return false;
  }
  const std::uint32_t line = number_of(address);
  const CacheSets::Victim second = second_->remove(line), last = last_.take(line);
  if (dirty || second.dirty || last.dirty) last_.write_memory(at);
  return second.present || last.present;
}

bool OuterLevels::invalidate(std::uint64_t address, std::uint64_t bytes) {
  const bool in_buffer = streams_.invalidate(address, bytes);
  if (!second_) return in_buffer;
  const std::uint32_t first = number_of(address), last = number_of(address + (bytes - 1));
  const bool in_second = second_->remove_range(first, last, [](std::uint32_t) {});
  return last_.invalidate(first, last) || in_second || in_buffer;
}

bool OuterLevels::holds(std::uint64_t address, std::uint64_t bytes) const {
  if (streams_.holds(address, bytes)) return true;
  if (!second_) return false;
  const std::uint32_t first = number_of(address), last = number_of(address + (bytes - 1));
  return second_->contains_any(first, last) || last_.holds(first, last);
}

}  // namespace toroid
