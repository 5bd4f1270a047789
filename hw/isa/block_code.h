// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace toroid {

/// Code that an engine executes at the beginning of a basic block, in place of a call of EngineClient::on_block(): the
/// client writes it once for all executions of the block, on all cores with the client's program.
///
/// Values have 64 bits. It runs from its first operation to its last; a call_if() is the only branch. Where that calls
/// EngineClient::on_block(), nothing behind it is executed.
class BlockCode {
 public:
  enum class Operation : std::uint8_t {
    move,              ///< result = b
    general_register,  ///< result = the guest's general purpose register `constant`, extended with zeros
    load_8,            ///< result = so many bits of the host's memory at a + constant, extended with zeros
    load_16,
    load_32,
    load_64,
    store_64,  ///< b to the same place
    add,
    subtract,
    multiply,
    bit_and,
    bit_and_not,
    bit_or,
    bit_xor,
    bit_nor,
    shift_left,  ///< by less than 64
    shift_right,
    shift_right_signed,
    not_equal,     ///< 1 or 0
    below,         ///< unsigned
    move_if_zero,  ///< if a is 0, result = b
    swap_16,       ///< the bytes of b in reverse order
    swap_32,
    sign_8,  ///< b extended with its sign, from so many bits
    sign_16,
    sign_32,
    call_if,  ///< if a is not 0
  };
  static constexpr std::size_t kOperations = static_cast<std::size_t>(Operation::call_if) + 1;
  /// Numbers of registers, and what may stand for one: as `second` the constant, as `first` the client's ledger().
  static constexpr std::uint8_t kRegisters = 96, kLedger = 254, kConstant = 255;
  struct Step {
    Operation operation;
    std::uint8_t result;
    std::uint8_t first;   ///< a
    std::uint8_t second;  ///< b
    std::uint64_t constant;
  };

  /// A value that is being worked out, in a register that it gives back.
  class Value {
   public:
    Value(Value&& other) noexcept : code_(other.code_), number_(other.number_) { other.code_ = nullptr; }
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;
    Value& operator=(Value&&) = delete;
    ~Value() {
      if (code_ != nullptr) code_->used_.reset(number_);
    }

    /// The value becomes that of the operation with it and `other`.
    Value& apply(Operation operation, const Value& other) {
      code_->steps_.push_back({operation, number_, number_, other.number_, 0});
      return *this;
    }
    Value& apply(Operation operation, std::uint64_t constant) {
      code_->steps_.push_back({operation, number_, number_, kConstant, constant});
      return *this;
    }
    /// The same of an operation that takes the value alone.
    Value& apply(Operation operation) { return apply(operation, *this); }
    /// Becomes `other` if `condition` is 0.
    Value& move_if_zero(const Value& condition, std::uint64_t other) {
      code_->steps_.push_back({Operation::move_if_zero, number_, condition.number_, kConstant, other});
      return *this;
    }
    Value& move_if_zero(const Value& condition, const Value& other) {
      code_->steps_.push_back({Operation::move_if_zero, number_, condition.number_, other.number_, 0});
      return *this;
    }

   private:
    friend class BlockCode;
    Value(BlockCode& code, std::uint8_t number) : code_(&code), number_(number) {}

    BlockCode* code_;
    std::uint8_t number_;
  };

  /// Empty again.
  void clear() {
    steps_.clear();
    fits_ = true;
  }
  /// No code: the engine calls at each execution. Also where there were not enough registers.
  bool empty() const { return !fits_ || steps_.empty(); }
  const std::vector<Step>& steps() const { return steps_; }

  Value constant(std::uint64_t number) { return made(Operation::move, kConstant, kConstant, number); }
  Value copy(const Value& value) { return made(Operation::move, kConstant, value.number_, 0); }
  Value general_register(unsigned number) { return made(Operation::general_register, kConstant, kConstant, number); }
  /// `bits` of the host's memory at an offset.
  Value load(const Value& base, std::uint64_t offset, unsigned bits) {
    return made(load_of(bits), base.number_, kConstant, offset);
  }
  Value load_ledger(std::uint64_t offset) { return made(Operation::load_64, kLedger, kConstant, offset); }
  void store_ledger(std::uint64_t offset, const Value& value) {
    steps_.push_back({Operation::store_64, 0, kLedger, value.number_, offset});
  }
  /// All values are lost, whether it calls or not.
  void call_if(Value condition) { steps_.push_back({Operation::call_if, 0, condition.number_, kConstant, 0}); }

 private:
  static Operation load_of(unsigned bits) {
    return bits == 8    ? Operation::load_8
           : bits == 16 ? Operation::load_16
           : bits == 32 ? Operation::load_32
                        : Operation::load_64;
  }
  Value made(Operation operation, std::uint8_t first, std::uint8_t second, std::uint64_t constant) {
    std::uint8_t number = 0;
    while (number + 1 < kRegisters && used_[number]) ++number;
    if (used_[number]) fits_ = false;
    used_.set(number);
    steps_.push_back({operation, number, first, second, constant});
    return {*this, number};
  }

  std::vector<Step> steps_;
  std::bitset<kRegisters> used_;
  bool fits_ = true;
};

}  // namespace toroid
