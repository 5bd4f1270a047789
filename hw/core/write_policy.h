// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/core/memory_config.h"
#include "hw/isa/block.h"

namespace toroid {

/// The write policy of a first level of data, as far as it concerns blocks.
///
/// One that writes back allocates at stores as at loads, and every access is looked up. One that writes through does
/// not allocate at stores: what they change there is neither present nor dirty lines. They occupy the way to memory,
/// which is what a block costs at least. That is a constant of the block; a store buffer with a state would make turns
/// of a loop unequal. Beyond that, stores are looked up only if memory has a time for lines
/// (MemoryConfig::memory_line_cycles) that the level before it must fetch for them.
class WritePolicy {
 public:
  explicit WritePolicy(const MemoryConfig& config)
      : through_(config.l1_writes == MemoryConfig::Writes::through ? ~0u : 0u),
        behind_(through_ != 0 && !config.is_exclusive() && config.memory_line_cycles != 0),
        store_cycles_(config.modelled && through_ != 0 ? config.store_cycles : 0) {}

  /// Accesses of this kind are not looked up.
  bool passes(AccessKind kind) const { return through_ != 0 && !behind_ && writes(kind); }
  /// Accesses of this kind are looked up in the last level alone.
  bool goes_behind(AccessKind kind) const { return behind_ && writes(kind); }
  /// What of a line's state in the filter does not matter to the access; the bits of LineFilter.
  std::uint8_t accepts(const PlannedAccess& access) const {
    return behind_ && access.kind == AccessKind::store ? PlannedAccess::kPresent : access.accepts;
  }
  /// How many of the accesses that the block has planned are looked up in the first level, and how many whose address
  /// is not known.
  std::size_t lookups(const Block& block) const { return block.plan.accesses().size() - (block.stores & through_); }
  unsigned unresolved(const Block& block) const {
    return block.plan.unresolved() - (block.plan.unresolved_stores() & through_);
  }
  /// What the block's stores take, everything else aside.
  std::uint32_t least_cycles(const Block& block) const {
    return store_cycles_ * (block.stores + block.plan.unresolved_stores());
  }

 private:
  std::uint32_t through_;  ///< all bits, or none
  bool behind_;
  std::uint32_t store_cycles_;
};

}  // namespace toroid
