// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/isa/memory_operand.h"
#include "hw/isa/power/opcode_table.h"

namespace toroid::power {

/// An instruction's word with its form.
class Instruction {
 public:
  Instruction(std::uint32_t word, Width width) : word_(word), width_(width), opcode_(&opcode_of(word, width)) {}

  std::uint32_t word() const { return word_; }
  Width width() const { return width_; }
  const Opcode& opcode() const { return *opcode_; }
  bool reads(operand::Set operands) const { return (opcode_->reads & operands) != 0; }
  bool writes(operand::Set operands) const { return (opcode_->writes & operands) != 0; }

  // Fields of the word.
  unsigned t() const { return word_ >> 21 & 31; }
  unsigned a() const { return word_ >> 16 & 31; }
  unsigned b() const { return word_ >> 11 & 31; }
  unsigned c() const { return word_ >> 6 & 31; }
  unsigned mask_begin() const { return word_ >> 6 & 31; }
  unsigned mask_end() const { return word_ >> 1 & 31; }
  // Of rotations of doublewords: the highest bit of both is apart, and the mask has one end.
  unsigned shift_double() const { return b() | (word_ >> 1 & 1) << 5; }
  unsigned mask_double() const { return c() | (word_ >> 5 & 1) << 5; }
  bool last_bit() const { return (word_ & 1) != 0; }  ///< record or link
  /// The immediate operand, as the form extends it.
  std::uint64_t immediate() const;

  /// True for loads and stores.
  bool accesses() const { return opcode_->access.kind && !is_cache_instruction(*opcode_->access.kind); }
  /// True for those that write back or invalidate, zero or prefetch a line.
  bool manages_cache() const { return opcode_->access.kind && is_cache_instruction(*opcode_->access.kind); }
  /// Where a load, a store or a cache instruction goes. Of string forms that take their length from XER the size is 0.
  MemoryOperand memory() const;
  /// Registers that a load or store moves: more than 1 for most multiple and string forms.
  unsigned registers_moved() const;

  bool is_steady() const;
  /// The engine does not execute it.
  bool is_emulated() const { return opcode_->emulated != Emulated::no; }

 private:
  std::uint32_t word_;
  Width width_;
  const Opcode* opcode_;
};

/// Special registers that the kernel gives in place of the engine. Their numbers are also those of
/// CoreIdentity::registers.
enum class SpecialRegister : std::uint16_t {
  none = 0,
  user = 256,       ///< USPRG0: the program's own
  general_4 = 260,  ///< SPRG4 to SPRG7, which a program may read and its kernel writes
  general_5 = 261,
  general_6 = 262,
  general_7 = 263,
  time_base_lower = 268,
  time_base_upper = 269,
  processor = 286,
  version = 287
};
/// Which of them `word` moves to or from a general purpose register (mftb, mftbu, mfspr and mtspr).
SpecialRegister special_register(std::uint32_t word);
/// Of a word that moves one: whether it is written.
bool writes_special_register(std::uint32_t word);

/// tw and twi, td and tdi.
inline constexpr bool is_trap(std::uint32_t word) {
  const std::uint32_t form = word & 0xFC00'07FE;
  return word >> 26 == 3 || word >> 26 == 2 || form == (31u << 26 | 4u << 1) || form == (31u << 26 | 68u << 1);
}

inline constexpr std::uint32_t kSystemCallInstruction = 0x4400'0002;
/// bcl 20,31,.+4: branches to the next instruction to learn its address, as position-independent code does.
inline constexpr std::uint32_t kBranchToNext = 0x429F'0005;

}  // namespace toroid::power
