// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/instruction.h"

namespace toroid::power {

using namespace operand;

namespace {

// Moves between general purpose and special registers: mfspr, mftb and mtspr.
constexpr std::uint32_t kForm = 0xFC00'07FE;
constexpr std::uint32_t kMoveFrom = 31u << 26 | 339u << 1, kMoveFromTimeBase = 31u << 26 | 371u << 1,
                        kMoveTo = 31u << 26 | 467u << 1;

}  // namespace

std::uint64_t Instruction::immediate() const {
  const auto extended = static_cast<std::uint64_t>(static_cast<std::int16_t>(word_));
  switch (opcode_->immediate) {
    case Immediate::sign_extended:
      return extended;
    case Immediate::shifted:
      return extended << 16;
    case Immediate::zero_extended_shifted:
      return (word_ & 0xFFFF) << 16;
    case Immediate::zero_extended:
      return word_ & 0xFFFF;
    case Immediate::shift_amount_double:
      return shift_double();
    case Immediate::shift_amount:
      return b();
    case Immediate::none:
      break;
  }
  return 0;
}

unsigned Instruction::registers_moved() const {
  switch (opcode_->access.many) {
    case Access::Many::multiple:
      return 32 - t();
    case Access::Many::string:
      return ((b() == 0 ? 32 : b()) + 3) / 4;
    default:
      return 1;
  }
}

MemoryOperand Instruction::memory() const {
  const Access& access = opcode_->access;
  MemoryOperand operand;
  if (!access.kind) return operand;
  operand.load = access.kind == AccessKind::load;
  operand.store = access.kind == AccessKind::store;
  if (a() != 0) operand.base = static_cast<std::uint8_t>(a());
  if (reads(kB)) {
    operand.index = static_cast<std::uint8_t>(b());
  } else if (access.many != Access::Many::string) {
    operand.displacement = static_cast<std::int16_t>(access.tagged ? word_ & ~3u : word_);
  }
  operand.several = access.many != Access::Many::no;
  operand.vector = access.quad;
  operand.alignment = access.quad ? access.size : 1;
  operand.size = access.size;
  if (access.many == Access::Many::multiple) operand.size = static_cast<std::uint16_t>(4 * registers_moved());
  if (access.many == Access::Many::string) operand.size = static_cast<std::uint16_t>(b() == 0 ? 32 : b());
  return operand;
}

bool Instruction::is_steady() const {
  return opcode_->steady == Steady::yes || (opcode_->steady == Steady::with_equal_sources && a() == b());
}

bool writes_special_register(std::uint32_t word) {
  return (word & kForm) == kMoveTo;
}

SpecialRegister special_register(std::uint32_t word) {
  const std::uint32_t form = word & kForm;
  if (form != kMoveFrom && form != kMoveFromTimeBase && form != kMoveTo) return SpecialRegister::none;
  const auto number = static_cast<SpecialRegister>((word >> 16 & 31) | (word >> 11 & 31) << 5);
  switch (number) {
    case SpecialRegister::user:
      return number;
    case SpecialRegister::general_4:
    case SpecialRegister::general_5:
    case SpecialRegister::general_6:
    case SpecialRegister::general_7:
    case SpecialRegister::time_base_lower:
    case SpecialRegister::time_base_upper:
    case SpecialRegister::processor:
    case SpecialRegister::version:
      return form == kMoveTo ? SpecialRegister::none : number;
    default:
      return SpecialRegister::none;
  }
}

}  // namespace toroid::power
