// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nic/common/memory_operation.h"

namespace toroid {

/// The atomic operations of an L2 cache that has them as kinds of loads and stores of 8 bytes: an operation is three
/// bits of an address. Devices put them into the addresses of what they read and write, cores into addresses of a
/// window of their own; both mean the same.
enum class L2Load : std::uint8_t {
  load,
  clear,  ///< leaves 0
  increment,
  decrement,
  increment_bounded,   ///< the bound is the next word
  decrement_bounded,   ///< the bound is the previous word
  increment_if_equal,  ///< to the next word
  reserved,            ///< a load, no more
};
enum class L2Store : std::uint8_t {
  store,
  twin,  ///< to the next word as well, if both are equal
  add,
  add_coherence_on_zero,  ///< the same value; caches above hear of it only when it is 0
  bit_or,
  bit_xor,
  max_unsigned,
  max_signed,
};

/// What memory does for operation 0 to 7 of a load, or of a store of `value`.
MemoryOperation l2_load(unsigned operation);
MemoryOperation l2_store(unsigned operation, std::uint64_t value);

}  // namespace toroid
