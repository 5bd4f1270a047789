// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/memory/memory_view.h"

namespace toroid {

/// What a block does with memory, in program order. dcbi has no kind: it is privileged, and ends a program.
enum class AccessKind : std::uint8_t {
  load,
  store,
  zero,        ///< dcbz: a whole line becomes zero, nothing is fetched
  flush,       ///< dcbf: written back and invalidated
  write_back,  ///< dcbst
  touch,       ///< dcbt, dcbtst: prefetched
};
inline constexpr bool is_cache_instruction(AccessKind kind) {
  return kind > AccessKind::store;
}

/// What a cache management instruction does; empty for every other word.
std::optional<AccessKind> cache_instruction(std::uint32_t word);

/// One access, its address as a sum of two values and an offset.
struct PlannedAccess {
  // What a line's entry in MemoryPath's filter can say, and what no entry says: lines are below 2^27.
  static constexpr std::uint32_t kDirty = 0x8000'0000, kNever = 0x4000'0000;

  std::uint32_t offset = 0;
  std::uint16_t issue = 0;  ///< cycles from the block's beginning, everything in L1
  std::uint16_t use = 0;    ///< of what is loaded, likewise; the block's end where it is not used in the block
  std::uint8_t first = 0;   ///< number of a value
  std::uint8_t second = 0;
  std::uint8_t bytes = 0;
  AccessKind kind = AccessKind::load;
  bool behind_load = false;       ///< its address comes from a load of the block
  std::uint16_t instruction = 0;  ///< its number in the block
  // Bits of an entry that do not matter, and those it must have for a hit.
  std::uint32_t accepts = 0;
  std::uint32_t expects = 0;
};

/// The addresses of a block's accesses as functions of the general purpose registers at its entry, worked out once.
///
/// The instructions that compute addresses are followed symbolically: sums with constants cost nothing, other
/// arithmetic and loads become steps that are evaluated at the block's entry, the loads on memory as it is then. A
/// store of the block that changes what such a load reads is overlooked. What comes out of other registers than the
/// general purpose ones, or of instructions that are not followed (carries, string loads), is not resolved, but for a
/// link register that the code tells: position-independent code reads its own address from it.
class AddressPlan {
 public:
  /// Number of a value: 0 to 31 the registers, 32 the number zero, from 33 on the steps' results.
  static constexpr unsigned kZero = 32, kFirstStep = 33, kValues = 96;
  using Values = std::array<std::uint32_t, kValues>;

  AddressPlan() = default;
  /// `link`: the link register at the entry, where the code alone tells it.
  explicit AddressPlan(const std::vector<std::uint32_t>& words, std::optional<std::uint32_t> link = std::nullopt);

  /// Those whose address can be told.
  std::vector<PlannedAccess>& accesses() { return accesses_; }
  const std::vector<PlannedAccess>& accesses() const { return accesses_; }
  /// How many there are besides.
  unsigned unresolved() const { return unresolved_; }
  /// Every address is one register and an offset.
  bool plain() const { return plain_; }

  /// Evaluates the steps; the first 32 values are the registers. False where a load lies outside `memory`, a device's
  /// say: then accesses behind loads are not resolved.
  bool evaluate(Values& values, const MemoryView& memory) const;
  static std::uint32_t address(const PlannedAccess& access, const Values& values) {
    return values[access.first] + values[access.second] + access.offset;
  }

 private:
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
    count_zeros,
    load_byte,
    load_half,
    load_half_signed,
    load_word,
  };
  struct Step {
    Operation operation;
    std::uint8_t result;
    std::uint8_t first;
    std::uint8_t second;
    std::uint8_t shift;
    std::uint32_t constant;
  };
  class Builder;

  bool load(const Step& step, Values& values, const MemoryView& memory) const;
  void keep_what_is_needed();

  std::vector<Step> steps_;
  std::vector<PlannedAccess> accesses_;
  bool plain_ = true;
  unsigned unresolved_ = 0;
};

}  // namespace toroid
