// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/block_addresses.h"

#include <algorithm>

#include "hw/isa/address_builder.h"

namespace toroid::power {
namespace {

using Operation = AddressBuilder::Operation;
using Symbol = AddressBuilder::Symbol;
using namespace operand;

constexpr unsigned kQuadBytes = 16;
constexpr unsigned kReservationBytes = 4;  // at least: they are aligned

/// Ones from bit `begin` to bit `end`, counted from the most significant, around the end where begin > end.
std::uint32_t mask_of(unsigned begin, unsigned end) {
  const std::uint32_t from_begin = ~std::uint32_t{0} >> begin;
  const std::uint32_t to_end = ~std::uint32_t{0} << (31 - end);
  return begin <= end ? from_begin & to_end : from_begin | to_end;
}

/// The same of 64 bits.
std::uint64_t mask_double_of(unsigned begin, unsigned end) {
  const std::uint64_t from_begin = ~std::uint64_t{0} >> begin;
  const std::uint64_t to_end = ~std::uint64_t{0} << (63 - end);
  return begin <= end ? from_begin & to_end : from_begin | to_end;
}

/// Of arithmetic and shifts of 32 bits in registers of 64: what they leave above is their own.
bool is_of_words(const Opcode& opcode) {
  switch (opcode.timing) {
    case Timing::multiply:
      return true;
    case Timing::divide:
      return true;
    default:
      break;
  }
  if (opcode.sets == Sets::wide) return false;
  switch (opcode.computes) {
    case Computes::shift_left:
    case Computes::shift_right:
    case Computes::shift_right_signed:
    case Computes::count_zeros:
      return true;
    default:
      return false;
  }
}

/// Operations with two sources of which the builder needs to know no more.
std::optional<Operation> binary_operation(Computes computes) {
  switch (computes) {
    case Computes::multiply:
      return Operation::multiply;
    case Computes::divide:
      return Operation::divide;
    case Computes::divide_signed:
      return Operation::divide_signed;
    case Computes::bit_and:
      return Operation::bit_and;
    case Computes::bit_and_not:
      return Operation::bit_and_not;
    case Computes::bit_or:
      return Operation::bit_or;
    case Computes::bit_xor:
      return Operation::bit_xor;
    case Computes::bit_nor:
      return Operation::bit_nor;
    case Computes::shift_left:
      return Operation::shift_left;
    case Computes::shift_right:
      return Operation::shift_right;
    case Computes::shift_right_signed:
      return Operation::shift_right_signed;
    case Computes::sign_extend_byte:
      return Operation::sign_extend_byte;
    case Computes::sign_extend_half:
      return Operation::sign_extend_half;
    case Computes::sign_extend_word:
      return Operation::sign_extend_word;
    case Computes::count_zeros:
      return Operation::count_zeros;
    default:
      return std::nullopt;
  }
}

class Follower {
 public:
  Follower(Width width, std::optional<std::uint64_t> link)
      : wide_(width == Width::wide), builder_(ByteOrder::big, word_bytes(width)) {
    if (link) link_ = builder_.constant(*link);
  }

  void follow(const Instruction& instruction, std::uint32_t number) {
    builder_.begin(number);
    if (instruction.opcode().access.kind) {
      access(instruction);
    } else {
      compute(instruction);
    }
  }
  AddressPlan finish() { return builder_.finish(); }

 private:
  void access(const Instruction& instruction) {
    const Access& access = instruction.opcode().access;
    const MemoryOperand operand = instruction.memory();
    unsigned bytes = 1;  // of a line; quads are aligned
    if (instruction.accesses() && access.size < kQuadBytes)
      bytes = operand.size != 0 ? operand.size : operand.several ? 1u : kReservationBytes;
    const AddressBuilder::Result result =
        builder_.access(operand, *access.kind, bytes, load_of(instruction), access.update);
    if (instruction.writes(kT)) {
      for (unsigned i = 0; i < instruction.registers_moved(); ++i)
        builder_.set((instruction.t() + i) % AddressPlan::kRegisters, AddressBuilder::kUnknown);
      builder_.set(instruction.t(), result.loaded);
    }
    if (access.update) builder_.set(instruction.a(), result.address);
  }

  static std::optional<Operation> load_of(const Instruction& instruction) {
    if (instruction.opcode().computes != Computes::load) return std::nullopt;
    switch (instruction.opcode().access.size) {
      case 1:
        return Operation::load_byte;
      case 2:
        return instruction.opcode().access.is_signed ? Operation::load_half_signed : Operation::load_half;
      case 8:
        return Operation::load_double;
      default:
        return instruction.opcode().access.is_signed ? Operation::load_word_signed : Operation::load_word;
    }
  }

  /// What an instruction that accesses no memory leaves in general purpose registers.
  void compute(const Instruction& instruction) {
    if (instruction.opcode().computes == Computes::to_link) link_ = builder_.general(instruction.t());
    if (instruction.writes(kT)) builder_.set(instruction.t(), value_of(instruction, first_of_arithmetic(instruction)));
    if (instruction.writes(kA)) builder_.set(instruction.a(), value_of(instruction, builder_.general(instruction.t())));
  }

  Symbol first_of_arithmetic(const Instruction& instruction) const {
    return instruction.reads(kA0) && instruction.a() == 0 ? builder_.constant(0) : builder_.general(instruction.a());
  }

  Symbol value_of(const Instruction& instruction, const Symbol& first) {
    const Opcode& opcode = instruction.opcode();
    const Symbol second = opcode.immediate != Immediate::none ? builder_.constant(instruction.immediate())
                          : instruction.reads(kB)             ? builder_.general(instruction.b())
                                                              : builder_.constant(0);
    switch (opcode.computes) {
      case Computes::add:
        return builder_.add(first, second);
      case Computes::subtract:
        return builder_.binary(Operation::subtract, second, first);
      case Computes::negate:
        return builder_.binary(Operation::subtract, builder_.constant(0), first);
      case Computes::rotate_and_mask:
        return rotate_words(Operation::rotate_and_mask, instruction, first, builder_.constant(0));
      case Computes::insert:
        return rotate_words(Operation::insert, instruction, first, builder_.general(instruction.a()));
      case Computes::rotate_and_clear_left:
        return rotate(Operation::rotate_and_mask, instruction, first, builder_.constant(0), 63);
      case Computes::rotate_and_clear_right:
        return builder_.binary(Operation::rotate_and_mask, first, builder_.constant(0), instruction.shift_double(),
                               mask_double_of(0, instruction.mask_double()));
      case Computes::rotate_and_clear:
        return rotate(Operation::rotate_and_mask, instruction, first, builder_.constant(0),
                      63 - instruction.shift_double());
      case Computes::insert_double:
        return rotate(Operation::insert, instruction, first, builder_.general(instruction.a()),
                      63 - instruction.shift_double());
      case Computes::bit_or:
        return either(instruction, first, second);
      case Computes::from_link:
        return link_;
      default:
        break;
    }
    if (wide_ && is_of_words(opcode)) return AddressBuilder::kUnknown;
    if (const std::optional<Operation> operation = binary_operation(opcode.computes))
      return builder_.binary(*operation, first, second);
    return AddressBuilder::kUnknown;
  }

  /// Of words. In registers of 64 bits the word is rotated as if it stood in both halves; where all that the mask
  /// leaves comes from one of them, it is a rotation of 64 bits.
  Symbol rotate_words(Operation operation, const Instruction& instruction, const Symbol& first, const Symbol& second) {
    const unsigned begin = instruction.mask_begin(), end = instruction.mask_end();
    unsigned shift = instruction.b();
    if (wide_) {
      if (begin > end) return AddressBuilder::kUnknown;
      const unsigned highest = 31 - begin, lowest = 31 - end;
      if (highest < shift) {
        shift += 32;
      } else if (lowest < shift) {
        return AddressBuilder::kUnknown;
      }
    }
    return builder_.binary(operation, first, second, shift, mask_of(begin, end));
  }

  Symbol rotate(Operation operation, const Instruction& instruction, const Symbol& first, const Symbol& second,
                unsigned end) {
    return builder_.binary(operation, first, second, instruction.shift_double(),
                           mask_double_of(instruction.mask_double(), end));
  }

  /// A move from register to register is an `or` of a register with itself or with nothing; `lis` and `ori` together
  /// make an address.
  Symbol either(const Instruction& instruction, const Symbol& first, const Symbol& second) {
    const bool immediate = instruction.opcode().immediate != Immediate::none;
    if (immediate ? second.offset == 0 : instruction.t() == instruction.b()) return first;
    if (immediate && AddressBuilder::is_constant(first)) return builder_.constant(first.offset | second.offset);
    return builder_.binary(Operation::bit_or, first, second);
  }

  const bool wide_;
  AddressBuilder builder_;
  Symbol link_ = AddressBuilder::kUnknown;
};

}  // namespace

AddressPlan addresses_of(const std::vector<Instruction>& block, Width width, std::optional<std::uint64_t> link) {
  Follower follower(width, link);
  for (std::uint32_t i = 0; i < block.size(); ++i) follower.follow(block[i], i);
  return follower.finish();
}

}  // namespace toroid::power
