// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "hw/isa/memory_operand.h"
#include "hw/memory/byte_order.h"
#include "hw/memory/memory_view.h"

namespace toroid {

/// One access of a block, its address as a sum of two values and an offset.
struct PlannedAccess {
  // The state of a cache line (hw/core/line_filter.h), and one that no line has. One that is present and dirty has all
  // bits of a state.
  static constexpr std::uint8_t kPresent = 0x1D, kDirty = 0x02, kUnmatched = 0x1C, kAllState = 0x1F;

  std::uint64_t offset = 0;
  std::uint16_t issue = 0;        ///< cycles from the block's beginning, everything in L1
  std::uint16_t use = 0;          ///< of what is loaded, likewise; the block's end where it is not used in the block
  std::uint16_t instruction = 0;  ///< its number in the block
  std::uint8_t first = 0;         ///< number of a value
  std::uint8_t second = 0;
  std::uint8_t bytes = 1;  ///< from the address on, as far as cache lines go: at least 1
  AccessKind kind = AccessKind::load;
  bool behind_load = false;  ///< its address comes from a load of the block
  // What a load or store moves: so many bytes from the address rounded down.
  std::uint8_t moved = 0;
  std::uint8_t alignment = 1;
  // The state that the line must have for a hit, and what of it does not matter.
  std::uint8_t expects = 0;
  std::uint8_t accepts = 0;
};
static_assert(sizeof(PlannedAccess) == 24, "walked for each block that is executed");

/// The addresses of a block's accesses as functions of the general purpose registers at its entry, worked out once by
/// the instruction set (address_builder.h).
///
/// The instructions that compute addresses are followed symbolically: sums with constants cost nothing, other
/// arithmetic and loads become steps that are evaluated at the block's entry, the loads on memory as it is then. A
/// store of the block that changes what such a load reads is overlooked, but by follow(). What comes out of other
/// registers than the general purpose ones, or of instructions that are not followed (carries, string loads), is not
/// resolved.
///
/// `Word` is the instruction set's: 32 or 64 bits. Values wrap around at its size.
class AddressPlan {
 public:
  /// Number of a value: 0 to 31 the registers, 32 the number zero, from 33 on the steps' results.
  static constexpr unsigned kRegisters = 32, kZero = 32, kFirstStep = 33, kValues = 96;
  template <typename Word>
  using Values = std::array<Word, kValues>;

  enum class Operation : std::uint8_t {
    add,
    subtract,
    bit_and,
    bit_and_not,
    bit_or,
    bit_xor,
    bit_nor,
    rotate_and_mask,
    insert,
    shift_left,
    shift_right,
    shift_right_signed,
    multiply,
    divide,
    divide_signed,
    sign_extend_byte,
    sign_extend_half,
    sign_extend_word,
    count_zeros,
    load_byte,
    load_half,
    load_half_signed,
    load_word,
    load_word_signed,
    load_double,
  };
  static constexpr bool loads(Operation operation) { return operation >= Operation::load_byte; }
  struct Step {
    std::uint64_t constant;
    std::uint16_t instruction;
    Operation operation;
    std::uint8_t result;
    std::uint8_t first;
    std::uint8_t second;
    std::uint8_t shift;
  };
  static unsigned size_of_load(Operation operation) {
    switch (operation) {
      case Operation::load_byte:
        return 1;
      case Operation::load_half:
      case Operation::load_half_signed:
        return 2;
      case Operation::load_double:
        return 8;
      default:
        return 4;
    }
  }

  /// Those whose address can be told.
  std::vector<PlannedAccess>& accesses() { return accesses_; }
  const std::vector<PlannedAccess>& accesses() const { return accesses_; }
  /// How many there are besides, and how many of these are stores.
  unsigned unresolved() const { return unresolved_; }
  unsigned unresolved_stores() const { return unresolved_stores_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Every address is one register and an offset.
  bool plain() const { return plain_; }

  /// Evaluates the steps; the first 32 values are the registers. False if a load lies outside `memory`, a device's
  /// say: then accesses behind loads are not resolved.
  template <typename Word>
  bool evaluate(Values<Word>& values, const MemoryView& memory) const;

  /// The same with a care for each value: `told` says which are what they will be when the block is executed. A load
  /// of what an earlier store of the block writes is not told, nor is what depends on it.
  template <typename Word>
  void follow(Values<Word>& values, std::bitset<kValues>& told, const MemoryView& memory) const;

  template <typename Word>
  static Word address(const PlannedAccess& access, const Values<Word>& values) {
    return values[access.first] + values[access.second] + static_cast<Word>(access.offset);
  }
  /// The first byte that a load or store moves.
  template <typename Word>
  static Word first_moved(const PlannedAccess& access, const Values<Word>& values) {
    return address(access, values) & ~static_cast<Word>(access.alignment - 1);
  }

 private:
  friend class AddressBuilder;

  template <typename Word>
  static Word compute(const Step& step, Word a, Word b);
  template <typename Word>
  bool load(const Step& step, Values<Word>& values, const MemoryView& memory) const;
  template <typename Word>
  bool is_overwritten(const Step& step, Word address, const Values<Word>& values,
                      const std::bitset<kValues>& told) const;

  std::vector<Step> steps_;
  std::vector<PlannedAccess> accesses_;
  ByteOrder byte_order_ = ByteOrder::big;
  bool plain_ = true;
  unsigned unresolved_ = 0;
  unsigned unresolved_stores_ = 0;
};

}  // namespace toroid
