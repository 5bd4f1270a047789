// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// What an instruction does with memory.
enum class AccessKind : std::uint8_t {
  load,
  store,
  zero,        ///< a whole cache line becomes zero, nothing is fetched
  flush,       ///< the line is written back and invalidated
  write_back,  ///< the line is written back and stays
  touch,       ///< the line is prefetched
};
inline constexpr bool is_cache_instruction(AccessKind kind) {
  return kind > AccessKind::store;
}
/// It changes bytes of memory.
inline constexpr bool writes(AccessKind kind) {
  return kind == AccessKind::store || kind == AccessKind::zero;
}

/// How a load or store forms its address: `base` plus `index` times 2^`scale` plus `displacement`, rounded down to a
/// multiple of `alignment`. Registers are numbers of general purpose registers.
struct MemoryOperand {
  static constexpr std::uint8_t kNoRegister = 0xFF;

  bool load = false;
  bool store = false;
  std::uint8_t base = kNoRegister;
  std::uint8_t index = kNoRegister;
  std::uint8_t scale = 0;
  std::uint8_t alignment = 1;
  std::uint16_t size = 0;  ///< bytes moved; 0 if the instruction alone does not tell
  bool several = false;    ///< moves several registers one by one
  bool vector = false;     ///< moves a whole vector register at once
  std::int64_t displacement = 0;

  bool any() const { return load || store; }
};

/// The effective address, given a function from a general purpose register's number to its value. `Word` is the
/// instruction set's: addresses wrap around at its size.
template <typename Word, typename ReadRegister>
Word effective_address(const MemoryOperand& operand, ReadRegister&& read) {
  Word address = static_cast<Word>(operand.displacement);
  if (operand.base != MemoryOperand::kNoRegister) address += static_cast<Word>(read(operand.base));
  if (operand.index != MemoryOperand::kNoRegister) address += static_cast<Word>(read(operand.index)) << operand.scale;
  return address & ~static_cast<Word>(operand.alignment - 1);
}

}  // namespace toroid
