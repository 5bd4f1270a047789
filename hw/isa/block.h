// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/isa/address_plan.h"
#include "hw/isa/memory_operand.h"

namespace toroid {

/// A load or store of a block.
struct AccessSite {
  std::uint64_t pc = 0;
  std::uint64_t next = 0;  ///< the instruction behind it
  MemoryOperand operand;
  /// The effective address, where the block's code alone tells it: what a driver does to a register of a device.
  std::optional<std::uint64_t> constant;
};

/// Units of a processor to which its hardware threads issue: each takes an instruction a cycle, from any one of them.
enum class IssueUnit : std::uint8_t {
  integer,   ///< fixed point, loads and stores, branches
  floating,  ///< floating point and its vectors
};
inline constexpr unsigned kIssueUnits = 2;

/// A line of code: its address divided by its size, and its number among all lines of the table's blocks.
struct CodeLine {
  std::uint64_t line;
  std::uint32_t number;
};

/// What a core needs to know of a basic block, worked out once.
struct Block {
  std::uint64_t address = 0;
  std::uint32_t number = 0;  ///< of the table's blocks
  std::uint32_t size = 0;    ///< bytes; 0 marks an empty place of the cache
  std::uint32_t cycles = 0;  ///< what one execution costs with everything in L1, device accesses apart
  std::uint32_t instructions = 0;
  std::array<std::uint32_t, kIssueUnits> issues{};  ///< of these: those that go to each unit
  bool steady = false;                              ///< made of instructions the spin detector can follow
  bool settled = true;               ///< owes nothing to the block behind it: that one's cost does not depend on it
  std::vector<CodeLine> lines;       ///< of its code, in order
  AddressPlan plan;                  ///< where its accesses go
  std::uint32_t stores = 0;          ///< of these accesses: those that write
  std::vector<AccessSite> accesses;  ///< in program order
  /// Where instructions end that let stores behind them leave only after those before (hw/core/write_combining.h).
  std::vector<std::uint64_t> fences;

  /// The costs behind the predecessors met last.
  struct Entry {
    const Block* from = nullptr;
    std::uint32_t cycles = 0;
  };
  mutable std::array<Entry, 2> entries;
};

/// A piece of a program's code.
struct CodeSpan {
  const std::uint8_t* bytes = nullptr;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

}  // namespace toroid
