// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/block_addresses.h"

#include <algorithm>
#include <optional>

#include "hw/isa/address_builder.h"
#include "hw/isa/x86_64/registers.h"

namespace toroid::x86_64 {
namespace {

using Operation = AddressBuilder::Operation;
using Symbol = AddressBuilder::Symbol;

constexpr unsigned kWord = 8;
constexpr std::uint64_t kLow32 = 0xFFFF'FFFF;

bool is_general(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && general_number(operand.reg.value) != MemoryOperand::kNoRegister;
}
bool is_written(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}
unsigned number_of(const ZydisDecodedOperand& operand) {
  return general_number(operand.reg.value);
}

class Follower {
 public:
  void follow(const Instruction& instruction, std::uint32_t number) {
    builder_.begin(number);
    loaded_ = AddressBuilder::kUnknown;
    for (const MemoryAccess& access : accesses_of(instruction)) plan(instruction, access);
    if (!moves_stack(instruction)) compute(instruction);
  }
  AddressPlan finish() { return builder_.finish(); }

 private:
  /// The operation by which a load extends what it loads; nullopt if it is not followed.
  static std::optional<Operation> load_of(const Instruction& instruction, unsigned bytes) {
    switch (instruction.code.mnemonic) {
      case ZYDIS_MNEMONIC_MOV:
      case ZYDIS_MNEMONIC_POP:
        if (bytes == 8) return Operation::load_double;
        return bytes == 4 ? std::optional(Operation::load_word) : std::nullopt;
      case ZYDIS_MNEMONIC_MOVZX:
        return bytes == 1 ? Operation::load_byte : Operation::load_half;
      case ZYDIS_MNEMONIC_MOVSXD:
        return bytes == 4 ? std::optional(Operation::load_word_signed) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  void plan(const Instruction& instruction, const MemoryAccess& access) {
    const MemoryOperand& operand = access.operand;
    if (access.thread_local_storage) return;  // counts as a hit
    const unsigned bytes = is_cache_instruction(access.kind) ? 1u : std::clamp<unsigned>(operand.size, 1, 64);
    const bool follows = access.kind == AccessKind::load && is_general(instruction.operands[0]);
    const AddressBuilder::Result result =
        builder_.access(operand, access.kind, bytes, follows ? load_of(instruction, operand.size) : std::nullopt);
    if (follows) loaded_ = result.loaded;
  }

  void add_to(unsigned number, std::int64_t amount) {
    builder_.set(number, builder_.add(builder_.general(number), builder_.constant(static_cast<std::uint64_t>(amount))));
  }

  /// Instructions that change the stack pointer on the side.
  bool moves_stack(const Instruction& instruction) {
    switch (instruction.code.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH:
      case ZYDIS_MNEMONIC_CALL:
        add_to(kRsp, -static_cast<std::int64_t>(kWord));
        return true;
      case ZYDIS_MNEMONIC_POP:
        if (is_general(instruction.operands[0])) builder_.set(number_of(instruction.operands[0]), loaded_);
        if (!is_general(instruction.operands[0]) || number_of(instruction.operands[0]) != kRsp) add_to(kRsp, kWord);
        return true;
      case ZYDIS_MNEMONIC_RET:
        add_to(kRsp, kWord);
        return true;
      default:
        return false;
    }
  }

  /// What the instruction leaves in general purpose registers.
  void compute(const Instruction& instruction) {
    const ZydisDecodedOperand& target = instruction.operands[0];
    std::optional<Symbol> result;
    if (instruction.code.operand_count_visible != 0 && is_general(target) && is_written(target) && target.size >= 32) {
      result = value_of(instruction);
      if (target.size == 32 && AddressBuilder::is_known(*result))
        result = AddressBuilder::is_constant(*result)
                     ? builder_.constant(result->offset & kLow32)
                     : builder_.binary(Operation::bit_and, *result, builder_.constant(kLow32));
    }
    for (unsigned i = 0; i < instruction.code.operand_count; ++i) {
      const ZydisDecodedOperand& operand = instruction.operands[i];
      if (is_general(operand) && is_written(operand)) builder_.set(number_of(operand), AddressBuilder::kUnknown);
    }
    if (result) builder_.set(number_of(target), *result);
  }

  /// Of an operand of 32 bits or more, extended with zeros.
  Symbol symbol_of(const ZydisDecodedOperand& operand) {
    if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return builder_.constant(operand.imm.value.u);
    if (!is_general(operand) || operand.size < 32) return AddressBuilder::kUnknown;
    const Symbol& whole = builder_.general(number_of(operand));
    if (operand.size == 64 || !AddressBuilder::is_known(whole)) return whole;
    return builder_.binary(Operation::bit_and, whole, builder_.constant(kLow32));
  }

  Symbol address_of(const Instruction& instruction, const ZydisDecodedOperand& operand) {
    const auto& memory = operand.mem;
    Symbol sum = builder_.constant(memory.disp.has_displacement ? static_cast<std::uint64_t>(memory.disp.value) : 0);
    if (memory.base == ZYDIS_REGISTER_RIP) {
      sum = builder_.add(sum, builder_.constant(instruction.next()));
    } else if (memory.base != ZYDIS_REGISTER_NONE) {
      sum = builder_.add(sum, builder_.general(general_number(memory.base)));
    }
    if (memory.index != ZYDIS_REGISTER_NONE) {
      Symbol index = builder_.general(general_number(memory.index));
      if (memory.scale > 1)
        index = builder_.binary(Operation::shift_left, index,
                                builder_.constant(static_cast<std::uint64_t>(__builtin_ctz(memory.scale))));
      sum = builder_.add(sum, index);
    }
    return sum;
  }

  Symbol value_of(const Instruction& instruction) {
    const ZydisDecodedOperand& target = instruction.operands[0];
    const ZydisDecodedOperand& source = instruction.operands[1];
    const bool narrow = target.size == 32;
    switch (instruction.code.mnemonic) {
      case ZYDIS_MNEMONIC_MOV:
        return source.type == ZYDIS_OPERAND_TYPE_MEMORY ? loaded_ : symbol_of(source);
      case ZYDIS_MNEMONIC_MOVZX:
      case ZYDIS_MNEMONIC_MOVSXD:
        return loaded_;
      case ZYDIS_MNEMONIC_LEA:
        return address_of(instruction, source);
      case ZYDIS_MNEMONIC_ADD:
        return builder_.add(symbol_of(target), symbol_of(source));
      case ZYDIS_MNEMONIC_SUB:
        if (source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
          return builder_.add(symbol_of(target), builder_.constant(0 - source.imm.value.u));
        return binary(Operation::subtract, target, source);
      case ZYDIS_MNEMONIC_INC:
        return builder_.add(symbol_of(target), builder_.constant(1));
      case ZYDIS_MNEMONIC_DEC:
        return builder_.add(symbol_of(target), builder_.constant(~std::uint64_t{0}));
      case ZYDIS_MNEMONIC_AND:
        return binary(Operation::bit_and, target, source);
      case ZYDIS_MNEMONIC_OR:
        return binary(Operation::bit_or, target, source);
      case ZYDIS_MNEMONIC_XOR:
        if (is_general(source) && number_of(source) == number_of(target)) return builder_.constant(0);
        return binary(Operation::bit_xor, target, source);
      case ZYDIS_MNEMONIC_SHL:
        return source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? binary(Operation::shift_left, target, source)
                                                           : AddressBuilder::kUnknown;
      case ZYDIS_MNEMONIC_SHR:
        return source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? binary(Operation::shift_right, target, source)
                                                           : AddressBuilder::kUnknown;
      case ZYDIS_MNEMONIC_SAR:
        return source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !narrow
                   ? binary(Operation::shift_right_signed, target, source)
                   : AddressBuilder::kUnknown;
      default:
        return AddressBuilder::kUnknown;
    }
  }

  Symbol binary(Operation operation, const ZydisDecodedOperand& first, const ZydisDecodedOperand& second) {
    const Symbol a = symbol_of(first), b = symbol_of(second);
    if (!AddressBuilder::is_known(a) || !AddressBuilder::is_known(b)) return AddressBuilder::kUnknown;
    return builder_.binary(operation, a, b);
  }

  AddressBuilder builder_{ByteOrder::little, kWord};
  Symbol loaded_ = AddressBuilder::kUnknown;  ///< by the instruction
};

}  // namespace

AddressPlan addresses_of(const std::vector<Instruction>& block) {
  Follower follower;
  for (std::uint32_t i = 0; i < block.size(); ++i) follower.follow(block[i], i);
  return follower.finish();
}

}  // namespace toroid::x86_64
