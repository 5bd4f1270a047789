// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/core/instruction.h"

namespace toroid {

/// A load or store of a block.
struct AccessSite {
  std::uint32_t pc = 0;
  MemoryAccess memory;
};

/// What a core needs to know of a basic block, worked out once.
struct Block {
  std::uint32_t address = 0;
  std::uint32_t size = 0;    ///< bytes; 0 marks an empty place of the cache
  std::uint32_t cycles = 0;  ///< what one execution costs, device accesses apart
  std::uint32_t instructions = 0;
  bool steady = false;               ///< made of instructions the spin detector can follow
  std::vector<AccessSite> accesses;  ///< in program order
};

/// Costs of the basic blocks of one program, shared by all cores that run it.
///
/// A block costs the sum of its instructions' class costs, rounded to whole cycles (to nearest, at least 1), so that
/// core time stays an integer and a loop takes the same time every turn.
class BlockTable {
 public:
  /// `code` holds the program's bytes from address `base` on, `size` of them; must outlive the table.
  BlockTable(const CoreConfig& config, const std::uint8_t* code, std::uint32_t base, std::uint32_t size);

  const Block& find(std::uint32_t address, std::uint32_t size) {
    const Block* cached = cache_[(address >> 2) & (kCacheSize - 1)];
    if (cached->address == address && cached->size == size) return *cached;
    return find_slowly(address, size);
  }

  /// The instruction word at `address`, or 0 outside the code.
  std::uint32_t word_at(std::uint32_t address) const;

 private:
  static constexpr unsigned kCacheSize = 8192;

  const Block& find_slowly(std::uint32_t address, std::uint32_t size);
  Block decode(std::uint32_t address, std::uint32_t size) const;

  std::array<std::uint64_t, kInstructionClasses> millicycles_{};
  const std::uint8_t* code_;
  std::uint32_t base_;
  std::uint32_t size_;
  Block empty_;
  std::vector<const Block*> cache_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;  // looked up only, never walked
};

}  // namespace toroid
