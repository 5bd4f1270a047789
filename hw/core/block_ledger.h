// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/core/core_counters.h"
#include "hw/isa/block.h"
#include "hw/isa/engine.h"
#include "torus/base/time.h"

namespace toroid {

/// What a basic block that is executed changes of a core and asks of it, where the code of blocks finds it
/// (block_counting.h).
struct BlockLedger {
  LedgerHead head;

  // Core cycles.
  CoreCycle now = 0;     ///< how far the core has come; within a block, its device accesses
  CoreCycle done = 0;    ///< when the instructions of the current block are done, device accesses apart
  CoreCycle until = 0;   ///< a block that begins before this may be counted by its code
  CoreCycle cycles = 0;  ///< of the block that is being counted, everything in L1

  // Of a core that shares what it can issue (issue_group.h).
  std::array<std::uint64_t, kIssueUnits> issue_costs{};  ///< cycles of an instruction for each unit, in fixed point
  CoreCycle last_floating = 0;                           ///< when a block with floating point began last
  std::uint64_t no_floating = 1;                         ///< not 0: the others do not know of any

  const Block* block = nullptr;  ///< entered last; nullptr if there is none
  const Block* owing = nullptr;  ///< the same where the next block's cost depends on it (Block::settled)
  void enter(const Block& entered) {
    block = &entered;
    owing = entered.settled ? nullptr : block;
  }
  void leave_block() { block = owing = nullptr; }

  CoreCounters counters;

  // What the first level is known to hold.
  const void* data_lines = nullptr;          ///< LineFilter::entries()
  const std::uint8_t* code_lines = nullptr;  ///< CodeLines::bytes()

  // Memory that addresses of accesses may come from (MemoryView::show_memory()).
  const std::uint8_t* memory = nullptr;
  std::uint64_t memory_base = 0;
  std::uint64_t memory_size = 0;

  std::uint64_t calls = 1;  ///< what code that is only checked has found: 0 where it would not have called

  /// Whether a block has left the same.
  bool is_same(const BlockLedger& other) const {
    return now == other.now && done == other.done && block == other.block && owing == other.owing &&
           counters == other.counters && last_floating == other.last_floating;
  }
};

}  // namespace toroid
