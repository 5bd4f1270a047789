// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/isa/memory_operand.h"
#include "hw/isa/power/width.h"

namespace toroid::power {

/// Registers as an instruction names them: in a field of its word (T, A, B or C), or by itself.
namespace operand {
using Set = std::uint32_t;
// General purpose registers. kA0: register 0 stands for the number zero.
inline constexpr Set kT = 1u << 0, kA = 1u << 1, kA0 = 1u << 2, kB = 1u << 3;
// Floating-point and vector registers.
inline constexpr Set kFloatT = 1u << 4, kFloatA = 1u << 5, kFloatB = 1u << 6, kFloatC = 1u << 7;
inline constexpr Set kVectorT = 1u << 8, kVectorA = 1u << 9, kVectorB = 1u << 10, kVectorC = 1u << 11;
// Fields of the condition register: that of the bit or field that T, A, B or C names, field 0 and 1, those of mtcrf's
// mask, all.
inline constexpr Set kConditionT = 1u << 12, kConditionA = 1u << 13, kConditionB = 1u << 14, kCondition0 = 1u << 15,
                     kCondition1 = 1u << 16, kConditionMask = 1u << 17, kConditions = 1u << 18, kConditionC = 1u << 24;
inline constexpr Set kLink = 1u << 19, kCount = 1u << 20, kException = 1u << 21;  // LR, CTR, XER
// What a conditional branch tests and counts, unless its BO field says that it does not.
inline constexpr Set kTested = 1u << 22, kCounted = 1u << 23;
}  // namespace operand

/// What an instruction costs: its pipe and its latency. The numbers are PipelineConfig's.
enum class Timing : std::uint8_t {
  simple,    ///< one cycle in either integer pipe
  complex,   ///< one cycle in the complex integer pipe
  compare,   ///< writes the condition register
  multiply,  ///< of two words
  multiply_short,
  multiply_double,  ///< of two doublewords
  divide,
  divide_double,
  move_to_conditions,
  move_to_branch_unit,
  move_from_special,
  load,
  float_load,
  store,
  store_conditional,
  cache,
  floating,
  float_compare,
  float_divide,
  float_divide_single,
  branch,
  branch_to_register,
  synchronise_pipes,   ///< isync, sc
  synchronise_memory,  ///< sync, eieio
};

/// The record bit, and what is written with it: a field of the condition register, late.
enum class Record : std::uint8_t { never, on_request, always, floating };

/// What an instruction does to memory.
struct Access {
  std::optional<AccessKind> kind{};
  std::uint8_t size = 0;     ///< bytes; 0 if the instruction alone does not tell
  bool update = false;       ///< the effective address is written back to A
  bool is_signed = false;    ///< loads: sign-extended
  bool reversed = false;     ///< least significant byte first
  bool quad = false;         ///< the address is rounded down to a multiple of the size
  bool reservation = false;  ///< lwarx, stwcx.: they have state of their own
  /// Multiple and string forms, which move several registers word by word.
  enum class Many : std::uint8_t { no, multiple, string, string_by_register } many = Many::no;
  bool tagged = false;  ///< the two low bits of the displacement belong to the opcode
};

/// How a general purpose register is computed, as far as addresses of later accesses depend on it. The sources are
/// T for what writes A, and A or zero for what writes T; then B or the immediate operand.
enum class Computes : std::uint8_t {
  unknown,
  add,
  subtract,  ///< the first from the second
  negate,
  multiply,
  divide,
  divide_signed,
  bit_and,
  bit_and_not,
  bit_or,
  bit_xor,
  bit_nor,
  shift_left,
  shift_right,
  shift_right_signed,
  rotate_and_mask,
  insert,
  // The same of doublewords: the mask ends at bit 63, begins at bit 0, or ends where the shift begins.
  rotate_and_clear_left,
  rotate_and_clear_right,
  rotate_and_clear,
  insert_double,
  sign_extend_byte,
  sign_extend_half,
  sign_extend_word,
  count_zeros,
  from_link,
  to_link,
  load,
};

enum class Immediate : std::uint8_t {
  none,
  sign_extended,
  shifted,
  zero_extended,
  zero_extended_shifted,
  shift_amount,
  shift_amount_double,  ///< of six bits, the highest apart
};

/// Whether a polling loop with the instruction can be found steady (hw/core/spin.h): its whole effect shows in general
/// purpose, link, count and condition registers and in memory.
enum class Steady : std::uint8_t {
  no,
  yes,
  with_equal_sources,  ///< vxor of a register with itself: how compilers clear one
};

/// What the simulator itself executes, because the engine, which is made for another processor, does not.
enum class Emulated : std::uint8_t {
  no,
  load_pair,  ///< of both floating-point register files
  store_pair,
  select,
  find_zero_byte,
  multiply_halves,  ///< and add
  nothing,          ///< without an effect that the simulator shows
  wait,
  read_control,
  write_control,
  // Of four doubles: the quad processing extension of the A2.
  load_four,
  store_four,
  add_four,
  select_four,
  compare_less_four,
  compare_greater_four,
  move_four,
};

/// The instruction sets that have a form.
enum class Sets : std::uint8_t { both, narrow, wide };

/// One form of instruction: everything that the simulator knows of it.
struct Opcode {
  std::uint32_t mask;   ///< bits of the word that tell the form
  std::uint32_t match;  ///< and what they are
  const char* name;
  operand::Set reads;
  operand::Set writes;
  Timing timing;
  Steady steady = Steady::yes;
  Record record = Record::never;
  bool overflow = false;  ///< has an overflow bit
  Computes computes = Computes::unknown;
  Immediate immediate = Immediate::none;
  Access access{};
  Emulated emulated = Emulated::no;
  Sets sets = Sets::both;

  bool is_of(Width width) const { return sets == Sets::both || (sets == Sets::wide) == (width == Width::wide); }
};

/// The form of `word`. Every word has one; what is no instruction of a user's program reads and writes nothing.
const Opcode& opcode_of(std::uint32_t word, Width width);

/// How many forms the table has, for tests.
unsigned opcodes();
const Opcode& opcode(unsigned number);

}  // namespace toroid::power
