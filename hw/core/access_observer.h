// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/isa/memory_operand.h"

namespace toroid {

class Core;
struct Block;

/// Observes a core's accesses to memory, in program order: for checkers of what hardware does not check.
///
/// Exact, where the caches' own view of a block's addresses is worked out ahead (hw/core/memory_path.h): the engine
/// calls back at each instruction and each access, which makes emulated code some twenty times slower. Results stay the
/// same. Addresses are the software's. Cores of a node run ahead of each other by up to a quantum, so calls of two
/// cores come in no order of time; Core::now() tells the time of the block that the access belongs to.
class AccessObserver {
 public:
  /// A load or store of the instruction at `pc`, in memory or of a device. A quad or double may come in
  /// pieces; cache instructions do not come here.
  virtual void on_access(const Core& core, std::uint64_t pc, std::uint64_t address, unsigned size, bool store) = 0;
  /// A cache instruction for the line that `address` lies in. AccessKind::zero also writes it.
  virtual void on_cache_instruction(const Core& core, std::uint64_t pc, std::uint64_t address, AccessKind kind) = 0;
  /// The core's whole first level of data is written back and invalidated.
  virtual void on_flush(const Core& core) = 0;
  /// A block is entered; its accesses follow.
  virtual void on_block(const Core& /*core*/, const Block& /*block*/) {}

 protected:
  ~AccessObserver() = default;
};

}  // namespace toroid
