// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/block_ledger.h"
#include "hw/core/cache.h"
#include "hw/core/code_lines.h"
#include "hw/core/core_counters.h"
#include "hw/core/line_filter.h"
#include "hw/core/memory_config.h"
#include "hw/core/outer_levels.h"
#include "hw/core/write_policy.h"
#include "hw/isa/block.h"
#include "hw/isa/block_table.h"
#include "hw/isa/line_size.h"
#include "hw/isa/register_set.h"
#include "hw/memory/memory_view.h"

namespace toroid {

/// A core's way to memory: what its loads, stores, cache instructions and fetches cost beyond an L1 hit.
///
/// A first level of data (write_policy.h) and one of code; what lies behind them (outer_levels.h); main memory.
/// Each core has its own of all of them, so that time depends on what the core itself does, and on nothing another core
/// does ahead of it or behind (docs/decisions/0007).
///
/// A load that misses is waited for where its value is first used, at the latest at the block's end: like a device's
/// (docs/decisions/0005). Up to `load_misses` loads and `line_fills` lines are outstanding; one more waits for the
/// oldest. A store that misses waits for a free line fill only. A line that is being fetched counts as present: the
/// next access to it has waited for the load that brought it, or overtakes by a few cycles the store that did.
///
/// A store that passes the first level and misses the last one takes memory's time, but waits only if as many as
/// `line_fills` before it have not come to memory yet.
class MemoryPath {
 public:
  /// `word_bytes` of the software's addresses: 4 or 8.
  MemoryPath(const MemoryConfig& config, unsigned word_bytes, MemoryCounters& counters);

  /// The core's software sees memory like this from now on; caches stay as they are.
  void set_view(const MemoryView& view);

  /// Software has changed what the streams of the prefetch buffer do.
  void set_prefetch(const PrefetchControl& control) { behind_.set_prefetch(control); }

  /// The core executes blocks of `program` from now on.
  void set_program(const BlockTable& program) {
    if (program_number_ != program.number()) code_lines_.clear();
    program_number_ = program.number();
    program_ = &program;
  }

  /// Tells the code of blocks where the lines are that the first level is known to hold.
  void show_lines(BlockLedger& ledger) const {
    ledger.data_lines = filter_.entries();
    ledger.code_lines = code_lines_.bytes();
  }

  /// A block is entered at core cycle `now` with the registers `gpr`; with all in L1 it takes `cycles`. Returns how
  /// many more.
  CoreCycle enter(const Block& block, GeneralRegisters gpr, CoreCycle now, CoreCycle cycles) {
    return gpr.wide() ? enter(block, gpr.words<std::uint64_t>(), now, cycles)
                      : enter(block, gpr.words<std::uint32_t>(), now, cycles);
  }

  /// Writes back and invalidates the whole first level of data, and returns the cycles that takes.
  CoreCycle flush_data(CoreCycle now);

  /// A bus master writes [address, address + bytes), physical addresses: the first level of data and what lies behind
  /// it hold none of it any more, but for a last level before memory itself, which bus masters see as well.
  void invalidate(std::uint64_t address, std::uint64_t bytes);
  /// Whether they hold some of it.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;

  /// Counts changes of what the caches hold. Two moments with equal counts saw the same caches all the time between.
  std::uint64_t changes() const { return changes_; }

 private:
  /// A line of memory.
  struct Line {
    std::uint64_t software;  ///< its number by the software's addresses
    std::uint32_t physical;
  };
  /// A load that is under way.
  struct Pending {
    CoreCycle use;    ///< offset in the block
    CoreCycle ready;  ///< core cycle
  };

  /// True for a load or store within one line that is known to be in the first level, for a store: and dirty.
  template <typename Word>
  bool is_hit(const PlannedAccess& access, Word address) const {
    return filter_.matches<Word>(address, address + (access.bytes - 1u), access.expects, policy_.accepts(access));
  }

  /// `Word` is what a general purpose register holds.
  template <typename Word>
  CoreCycle enter(const Block& block, const Word* gpr, CoreCycle now, CoreCycle cycles) {
    const unsigned unresolved = policy_.unresolved(block);
    counters_.l1_hits += policy_.lookups(block) + unresolved;
    counters_.unresolved += unresolved;
    return all_hit(block, gpr) ? 0 : enter_slowly(block, gpr, now, cycles);
  }
  /// True only if the block finds all that it fetches and accesses in the first level, and changes nothing there.
  template <typename Word>
  bool all_hit(const Block& block, const Word* gpr) const {
    if (!block.plan.plain()) return false;
    for (const CodeLine& line : block.lines) {
      if (!code_lines_.has(line.number)) return false;
    }
    for (const PlannedAccess& access : block.plan.accesses()) {
      const Word address = gpr[access.first] + static_cast<Word>(access.offset);
      if (!is_hit(access, address) && !policy_.passes(access.kind)) return false;
    }
    return true;
  }
  template <typename Word>
  CoreCycle enter_slowly(const Block& block, const Word* gpr, CoreCycle now, CoreCycle cycles);
  void fetch_code(const Block& block, CoreCycle now);
  void access_slowly(const PlannedAccess& access, std::uint64_t address, CoreCycle now, CoreCycle cycles);
  /// One line of an access.
  void access_line(const PlannedAccess& access, const Line& line, CoreCycle now, CoreCycle cycles);
  void cache_instruction(AccessKind kind, const Line& line, CoreCycle at);
  /// A store that passes the first level reaches the last one. `reads`: of a line that is not there, the rest is read.
  void store_behind(const Line& line, bool reads, CoreCycle at);
  /// Lines that the last level no longer has dirty are none of those at which stores cost nothing.
  void forget_written();
  /// Waits for the loads that instructions before offset `until` of the block use.
  void settle(CoreCycle now, CoreCycle until);
  /// Begins to fill a line at `at` or when a fill is free; returns when what it carries can be used.
  CoreCycle fill(const Line& line, bool dirty, CoreCycle& at);
  /// Brings a line into the first level, in some other's place.
  void place(const Line& line, bool dirty, CoreCycle at);
  /// The filter knows of the physical line no longer, at none of the software's addresses.
  void forget(std::uint32_t physical);

  Line line_at(std::uint64_t software) const { return {software, line_of(view_->physical(line_.address(software)))}; }
  /// Lines of memory have 32 bits.
  std::uint32_t line_of(std::uint64_t physical) const { return static_cast<std::uint32_t>(line_.number(physical)); }

  const MemoryConfig config_;
  const LineSize line_;  ///< of the first level
  const WritePolicy policy_;
  MemoryCounters& counters_;
  std::optional<MemoryView> view_;

  LineFilter filter_;     ///< of data_
  CodeLines code_lines_;  ///< of code_
  const BlockTable* program_ = nullptr;
  std::uint64_t program_number_ = 0;

  CacheSets data_;  ///< by physical line
  CacheSets code_;
  OuterLevels behind_;
  std::uint64_t changes_ = 0;

  std::vector<CoreCycle> fills_;  ///< when each line fill is free again
  std::size_t next_fill_ = 0;
  std::vector<CoreCycle> misses_;  ///< when each load miss returns
  std::size_t next_miss_ = 0;
  std::vector<CoreCycle> stores_;  ///< when memory takes up each store miss of the last level
  std::size_t next_store_ = 0;
  std::vector<Pending> pending_;
  CoreCycle stall_ = 0;  ///< of the current block so far
};

}  // namespace toroid
