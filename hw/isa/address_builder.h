// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "hw/isa/address_plan.h"
#include "hw/isa/memory_operand.h"

namespace toroid {

/// Makes an AddressPlan: an instruction set follows a block's instructions and says what they compute and access.
class AddressBuilder {
 public:
  using Operation = AddressPlan::Operation;
  /// A value and a constant to be added to it.
  struct Symbol {
    std::uint8_t value;
    std::uint64_t offset;
  };
  /// What is not followed.
  static constexpr Symbol kUnknown{255, 0};

  /// Of an instruction set whose addresses have `word_bytes`.
  AddressBuilder(ByteOrder order, unsigned word_bytes) : mask_(~std::uint64_t{0} >> (64 - 8 * word_bytes)) {
    plan_.byte_order_ = order;
    for (unsigned i = 0; i < AddressPlan::kRegisters; ++i) registers_[i] = {static_cast<std::uint8_t>(i), 0};
  }

  /// The instruction that what follows belongs to.
  void begin(std::uint32_t instruction) { instruction_ = static_cast<std::uint16_t>(instruction); }

  Symbol constant(std::uint64_t number) const { return {AddressPlan::kZero, number & mask_}; }
  static bool is_known(const Symbol& symbol) { return symbol.value != kUnknown.value; }
  static bool is_constant(const Symbol& symbol) { return symbol.value == AddressPlan::kZero; }

  const Symbol& general(unsigned number) const { return registers_[number]; }
  void set(unsigned number, const Symbol& symbol) { registers_[number] = symbol; }

  Symbol add(const Symbol& first, const Symbol& second);
  Symbol binary(Operation operation, const Symbol& first, const Symbol& second, unsigned shift = 0,
                std::uint64_t number = 0);

  /// A load or store of `bytes`, or a cache instruction: what it accesses, and what it leaves in registers.
  struct Result {
    Symbol loaded = kUnknown;   ///< where the access says how: by `loads`
    Symbol address = kUnknown;  ///< the effective address, where it is to be written back
  };
  Result access(const MemoryOperand& operand, AccessKind kind, unsigned bytes,
                std::optional<Operation> loads = std::nullopt, bool update = false);

  /// The plan; the builder is used up.
  AddressPlan finish();

 private:
  /// A sum, with `second` still to be added.
  struct Address {
    Symbol sum;
    std::uint8_t second = AddressPlan::kZero;
  };

  Symbol step(Operation operation, std::uint8_t first, std::uint8_t second, std::uint64_t number, unsigned shift = 0);
  /// The symbol as a value alone.
  std::uint8_t value_of(const Symbol& symbol);
  Address address_of(const MemoryOperand& operand);
  void plan(const Address& address, const MemoryOperand& operand, AccessKind kind, unsigned bytes);
  void keep_what_is_needed();

  AddressPlan plan_;
  const std::uint64_t mask_;
  std::array<Symbol, AddressPlan::kRegisters> registers_{};
  std::bitset<256> loaded_;  ///< by value: comes from a load
  std::uint8_t next_ = AddressPlan::kFirstStep;
  std::uint16_t instruction_ = 0;
};

}  // namespace toroid
