// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory_path.h"

#include <algorithm>

namespace toroid {

MemoryPath::MemoryPath(const MemoryConfig& config, unsigned word_bytes, MemoryCounters& counters)
    : config_(config),
      line_(config.l1_line),
      policy_(config),
      counters_(counters),
      filter_(word_bytes, line_),
      data_(config.l1_bytes / config.l1_line, config.l1_ways),
      code_(config.l1_bytes / config.l1_line, config.l1_code_ways),
      behind_(config, counters),
      fills_(config.line_fills),
      misses_(config.load_misses),
      stores_(config.line_fills) {}

void MemoryPath::set_view(const MemoryView& view) {
  static_assert(MemoryView::kAlignment % LineSize::kMost == 0);
  if (!view_ || !view_->is_same(view)) {
    filter_.clear();
    code_lines_.clear();
  }
  view_.emplace(view);
}

void MemoryPath::settle(CoreCycle now, CoreCycle until) {
  std::size_t kept = 0;
  for (const Pending& load : pending_) {
    if (load.use <= until) {
      if (load.ready > now + load.use) stall_ = std::max(stall_, load.ready - now - load.use);
    } else {
      pending_[kept++] = load;
    }
  }
  pending_.resize(kept);
}

void MemoryPath::forget(std::uint32_t physical) {
  view_->each_address_of(line_.address(physical),
                         [this](std::uint64_t address) { filter_.remove(line_.number(address)); });
}

void MemoryPath::place(const Line& line, bool dirty, CoreCycle at) {
  const CacheSets::Victim victim = data_.fill(line.physical, dirty);
  ++changes_;
  if (victim.present) {
    forget(victim.line);
    behind_.put(line_.address(victim.line), victim.dirty, at);
  }
  filter_.add(line.software, dirty);
}

CoreCycle MemoryPath::fill(const Line& line, bool dirty, CoreCycle& at) {
  CoreCycle& free = fills_[next_fill_];
  next_fill_ = next_fill_ + 1 == fills_.size() ? 0 : next_fill_ + 1;
  at = std::max(at, free);
  const OuterLevels::Line found = behind_.read(line_.address(line.physical), OuterLevels::Use::data, at);
  free = found.ready;
  place(line, dirty || found.dirty, at);
  return free;
}

void MemoryPath::access_line(const PlannedAccess& access, const Line& line, CoreCycle now, CoreCycle cycles) {
  settle(now, CoreCycle{access.issue});
  CoreCycle at = now + access.issue + stall_;
  if (policy_.goes_behind(access.kind)) return store_behind(line, access.kind == AccessKind::store, at);
  if (is_cache_instruction(access.kind)) return cache_instruction(access.kind, line, at);
  const bool store = access.kind == AccessKind::store;
  const CacheSets::State state = data_.state(line.physical);
  if (state.present) {
    if (store && !state.dirty) {
      data_.mark(line.physical, true);
      ++changes_;
    }
    filter_.add(line.software, store || state.dirty);
    return;
  }
  ++counters_.l1_misses;
  const CoreCycle asked = at;
  if (!store) at = std::max(at, misses_[next_miss_]);
  const CoreCycle ready = fill(line, store, at);
  stall_ += at - asked;  // the pipe was held up for a free place
  if (store) return;
  misses_[next_miss_] = ready;
  next_miss_ = next_miss_ + 1 == misses_.size() ? 0 : next_miss_ + 1;
  pending_.push_back({std::min(CoreCycle{access.use}, cycles), ready});
}

void MemoryPath::store_behind(const Line& line, bool reads, CoreCycle at) {
  const std::uint64_t address = line_.address(line.physical);
  const CacheSets::State state = behind_.last_state(address);
  if (!state.dirty) ++changes_;
  if (!state.present) {
    CoreCycle& oldest = stores_[next_store_];
    next_store_ = next_store_ + 1 == stores_.size() ? 0 : next_store_ + 1;
    if (oldest > at) {
      stall_ += oldest - at;
      at = oldest;
    }
    oldest = behind_.store(address, reads, at);
  } else if (!state.dirty) {
    behind_.store(address, reads, at);
  }
  filter_.add_stored(line.software);
}

void MemoryPath::forget_written() {
  behind_.take_written([this](std::uint64_t address, std::uint32_t bytes) {
    const std::uint32_t end = line_of(address + bytes - 1);
    for (std::uint32_t each = line_of(address); each <= end; ++each) {
      view_->each_address_of(line_.address(each),
                             [this](std::uint64_t software) { filter_.remove_stored(line_.number(software)); });
    }
  });
}

void MemoryPath::cache_instruction(AccessKind kind, const Line& line, CoreCycle at) {
  const CacheSets::State state = data_.state(line.physical);
  switch (kind) {
    case AccessKind::zero:
      if (!state.present) {
        behind_.drop(line_.address(line.physical));
        place(line, true, at);
      } else if (!state.dirty) {
        data_.mark(line.physical, true);
        ++changes_;
        filter_.add(line.software, true);
      }
      return;
    case AccessKind::touch:
      if (state.present) return;
      ++counters_.l1_misses;
      fill(line, false, at);
      return;
    case AccessKind::write_back:
      if (!state.dirty) return;
      data_.mark(line.physical, false);
      behind_.write_back(line_.address(line.physical), at);
      break;
    case AccessKind::flush: {
      const bool dirty = data_.remove(line.physical).dirty;
      if (!behind_.flush(line_.address(line.physical), dirty, at) && !state.present) return;
      break;
    }
    default:
      return;
  }
  ++changes_;
  forget(line.physical);
}

void MemoryPath::fetch_code(const Block& block, CoreCycle now) {
  for (const auto& [line, number] : block.lines) {
    if (code_lines_.has(number)) continue;
    code_lines_.add(number);
    const std::uint32_t physical = line_at(line).physical;
    if (code_.contains(physical)) continue;
    ++counters_.l1_code_misses;
    ++changes_;
    const CacheSets::Victim victim = code_.fill(physical, false);
    if (victim.present) {
      view_->each_address_of(line_.address(victim.line), [this](std::uint64_t address) {
        if (const auto gone = program_->number_of_line(line_.number(address))) code_lines_.remove(*gone);
      });
    }
    const CoreCycle at = now + stall_;
    stall_ = behind_.read(line_.address(physical), OuterLevels::Use::code, at).ready - now;
    if (victim.present) behind_.put(line_.address(victim.line), false, at);
  }
}

void MemoryPath::access_slowly(const PlannedAccess& access, std::uint64_t address, CoreCycle now, CoreCycle cycles) {
  if (!view_->contains(address, access.bytes)) {  // a device, or a fault to come
    if (policy_.goes_behind(access.kind)) return;
    ++counters_.uncached;
    --counters_.l1_hits;
    return;
  }
  const std::uint64_t last = line_.number(address + access.bytes - 1);
  const std::uint64_t missed = counters_.l1_misses;
  for (std::uint64_t line = line_.number(address); line <= last; ++line)
    access_line(access, line_at(line), now, cycles);
  if (counters_.l1_misses != missed) --counters_.l1_hits;
}

template <typename Word>
CoreCycle MemoryPath::enter_slowly(const Block& block, const Word* gpr, CoreCycle now, CoreCycle cycles) {
  stall_ = 0;
  fetch_code(block, now);
  AddressPlan::Values<Word> values;
  std::copy_n(gpr, AddressPlan::kRegisters, values.begin());
  const bool complete = block.plan.evaluate(values, *view_);
  for (const PlannedAccess& access : block.plan.accesses()) {
    if (policy_.passes(access.kind)) continue;
    if (access.behind_load && !complete) {
      ++counters_.unresolved;
      continue;
    }
    const Word address = AddressPlan::address(access, values);
    if (!is_hit(access, address)) access_slowly(access, address, now, cycles);
  }
  settle(now, cycles);
  forget_written();
  return stall_;
}
template CoreCycle MemoryPath::enter_slowly(const Block&, const std::uint32_t*, CoreCycle, CoreCycle);
template CoreCycle MemoryPath::enter_slowly(const Block&, const std::uint64_t*, CoreCycle, CoreCycle);

void MemoryPath::invalidate(std::uint64_t address, std::uint64_t bytes) {
  const std::uint32_t first = line_of(address), last = line_of(address + (bytes - 1));
  const bool in_buffer = behind_.invalidate(address, bytes);
  const bool in_first = data_.remove_range(first, last, [this](std::uint32_t line) { forget(line); });
  if (in_buffer || in_first) ++changes_;
}

bool MemoryPath::holds(std::uint64_t address, std::uint64_t bytes) const {
  return data_.contains_any(line_of(address), line_of(address + (bytes - 1))) || behind_.holds(address, bytes);
}

CoreCycle MemoryPath::flush_data(CoreCycle now) {
  data_.clear([this, now](std::uint32_t line) { behind_.put(line_.address(line), true, now); });
  filter_.clear();
  ++changes_;
  return CoreCycle{data_.lines()} * config_.flush_line_cycles;
}

}  // namespace toroid
