// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "hw/isa/ppc32/address_plan.h"
#include "hw/isa/ppc32/instruction.h"
#include "hw/isa/ppc32/pipeline.h"

namespace toroid {

/// A load or store of a block.
struct AccessSite {
  std::uint32_t pc = 0;
  MemoryAccess memory;
  /// The effective address, where the block's code alone tells it: what a driver does to a register of a device.
  std::optional<std::uint32_t> constant;
};

/// What a core needs to know of a basic block, worked out once.
struct Block {
  std::uint32_t address = 0;
  std::uint32_t number = 0;  ///< of the table's blocks
  std::uint32_t size = 0;    ///< bytes; 0 marks an empty place of the cache
  std::uint32_t cycles = 0;  ///< what one execution costs with everything in L1, device accesses apart
  std::uint32_t instructions = 0;
  bool steady = false;           ///< made of instructions the spin detector can follow
  bool settled = true;           ///< owes nothing to the block behind it: that one's cost does not depend on it
  std::uint32_t first_line = 0;  ///< of its code, by address / 32
  std::uint32_t last_line = 0;
  AddressPlan plan;                  ///< where its accesses go
  std::vector<AccessSite> accesses;  ///< in program order
  PipelineState exit;                ///< what it owes

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
  std::uint32_t address = 0;
  std::uint32_t size = 0;
};

/// Costs of the basic blocks of one program, shared by all cores that run it.
///
/// A block costs what the pipelines' scoreboard says (pipeline.h), from a standing start or behind the block that was
/// executed before it: a result that the predecessor still owes can hold up its first instructions. What a block owes
/// is taken from its run behind settled pipes: what a block hands on unread to the next but one is lost.
class BlockTable {
 public:
  /// `code` is the program's, by rising address and without overlaps; its bytes must outlive the table.
  BlockTable(const PipelineConfig& config, std::vector<CodeSpan> code);

  const Block& find(std::uint32_t address, std::uint32_t size) {
    const Block* cached = cache_[(address >> 2) & (kCacheSize - 1)];
    if (cached->address == address && cached->size == size) return *cached;
    return find_slowly(address, size);
  }

  /// What `block` costs right behind `previous`; null: behind settled pipes.
  std::uint32_t cycles_behind(const Block* previous, const Block& block) {
    if (previous == nullptr || previous->settled) return block.cycles;
    for (const Block::Entry& entry : block.entries) {
      if (entry.from == previous) return entry.cycles;
    }
    return cycles_behind_slowly(*previous, block);
  }

  /// The instruction word at `address`, or 0 outside the code.
  std::uint32_t word_at(std::uint32_t address) const;

 private:
  static constexpr unsigned kCacheSize = 8192;

  const Block& find_slowly(std::uint32_t address, std::uint32_t size);
  std::uint32_t cycles_behind_slowly(const Block& previous, const Block& block);
  Block decode(std::uint32_t address, std::uint32_t size) const;
  std::vector<PipelineInstruction> analyse(const std::vector<std::uint32_t>& words) const;
  std::vector<std::uint32_t> words_of(std::uint32_t address, std::uint32_t size) const;

  Pipeline pipeline_;
  std::vector<CodeSpan> code_;
  Block empty_;
  std::vector<const Block*> cache_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;  // looked up only, never walked
  std::unordered_map<std::uint64_t, std::uint32_t> entries_;          // by the numbers of both blocks; never walked
};

}  // namespace toroid
