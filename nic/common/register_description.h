// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// What a register description (.rdl) says of one register, or of an array of them; nic/common/generate_registers.py
/// writes these. Offsets and strides count in the block's units: bytes, or numbers of device control registers.
struct RegisterDescription {
  const char* name;
  std::uint32_t offset;  ///< from the base of the block, or of its group
  std::uint32_t count;   ///< of an array, otherwise 1
  std::uint32_t stride;
  std::uint32_t bytes;    ///< of an access
  std::uint32_t place;    ///< among the values of the block; an array's registers follow each other
  std::uint64_t reset;    ///< value after reset
  std::uint64_t stored;   ///< bits that a write replaces
  std::uint64_t cleared;  ///< bits that a written 1 clears
  bool readable;
  bool writable;
  bool pure;  ///< a read has no side effect
};

/// A field of a register, for words of up to 64 bits.
struct RegisterField {
  unsigned shift;
  std::uint64_t mask;

  /// Its value in `word`.
  constexpr std::uint32_t of(std::uint64_t word) const { return static_cast<std::uint32_t>((word & mask) >> shift); }
  /// A word that has `value` there and zeros elsewhere.
  constexpr std::uint32_t at(std::uint64_t value) const { return static_cast<std::uint32_t>(value << shift & mask); }
};

/// An address map of a description, or a group of registers that it repeats.
struct RegisterBlock {
  std::uint64_t base;
  std::uint32_t groups;
  std::uint64_t stride;  ///< from group to group
  std::uint32_t words;   ///< values of a group
};

}  // namespace toroid
