// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/core/block_ledger.h"
#include "hw/core/core_config.h"
#include "hw/isa/block.h"
#include "hw/isa/block_code.h"

namespace toroid {

/// Who counts what a basic block costs. The results are the same.
enum class BlockCounting {
  translated,  ///< the block's own code where it can, and Core::on_block() elsewhere
  called,      ///< Core::on_block()
  checked,     ///< Core::on_block(), which also compares its results with those of the code
};
/// TOROID_BLOCKS, for tests; translated unless it says so. Throws std::runtime_error if it says anything else.
BlockCounting block_counting();

/// Writes what Core::on_block() does for `block` where nothing asks for more: the core may go on, every line that the
/// block fetches or accesses is known to be in the first level, and what it costs behind its predecessor is known.
/// Elsewhere the code changes nothing and calls; it is empty for a block that it can never count.
void count_block(const Block& block, const CoreConfig& config, BlockCounting counting, BlockCode& code);

}  // namespace toroid
