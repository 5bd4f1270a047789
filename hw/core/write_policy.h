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
/// not allocate at stores: what they change is neither present nor dirty lines, so they are not looked up at all. They
/// occupy the way to memory, which is what a block costs at least. That is a constant of the block; a store buffer with
/// a state would make turns of a loop unequal.
class WritePolicy {
 public:
  explicit WritePolicy(const MemoryConfig& config)
      : through_(config.l1_writes == MemoryConfig::Writes::through ? ~0u : 0u),
        store_cycles_(config.modelled && through_ != 0 ? config.store_cycles : 0) {}

  /// Accesses of this kind are not looked up.
  bool passes(AccessKind kind) const { return through_ != 0 && writes(kind); }
  /// How many of the accesses that the block has planned are looked up, and how many whose address is not known.
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
  std::uint32_t store_cycles_;
};

}  // namespace toroid
