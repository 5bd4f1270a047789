// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// What memory does to a word of 4 or 8 bytes in one step. Some operations also look at a word beside it, the other one
/// of a pair.
struct MemoryOperation {
  enum class Kind : std::uint8_t {
    load,
    add,
    bit_and,
    bit_or,
    bit_xor,
    exchange,
    compare_exchange,    ///< stores the operand if it finds `compare`
    max_unsigned,        ///< keeps the greater of word and operand
    max_signed,          ///< the same of a sign and an amount, as floating-point numbers are
    increment_bounded,   ///< unless the word equals the one behind it
    decrement_bounded,   ///< unless the word equals the one before it
    increment_if_equal,  ///< only if the word equals the one behind it
    store_twin,          ///< stores to the word and the one behind it if they are equal
  };
  Kind kind = Kind::add;
  unsigned bytes = 8;
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;

  /// Where the other word of the pair is, counted in words; 0: the operation looks at no other word.
  int other() const {
    switch (kind) {
      case Kind::increment_bounded:
      case Kind::increment_if_equal:
      case Kind::store_twin:
        return 1;
      case Kind::decrement_bounded:
        return -1;
      default:
        return 0;
    }
  }
};

/// What a bounded operation on 8 bytes gives that does nothing: the upper bit.
inline constexpr std::uint64_t kBoundReached = 0x8000000000000000;
/// The words of a pair lie in one piece of memory of this size.
inline constexpr std::uint64_t kPairBytes = 32;

struct MemoryEffect {
  std::uint64_t given;  ///< to who asked: the word as it was, or kBoundReached
  std::uint64_t word;   ///< afterwards
  std::uint64_t other;  ///< afterwards
  bool changed;         ///< something has been stored, maybe what was there before
};

/// Performs `operation` on a word and the other one of its pair. Words of 4 bytes have their upper bits 0.
MemoryEffect perform(const MemoryOperation& operation, std::uint64_t word, std::uint64_t other);

/// Whether the operation can be made on the word at `address`: at a multiple of its size, in one piece with the other
/// word of its pair.
bool is_aligned(const MemoryOperation& operation, std::uint64_t address);

}  // namespace toroid
