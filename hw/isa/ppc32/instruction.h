// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// Kinds of instructions, as far as the spin detector tells them apart.
enum class InstructionClass : std::uint8_t {
  integer,
  load,
  store,
  branch,
  multiply,
  divide,
  floating,
  float_divide,
  system,
};

enum class RegisterBank : std::uint8_t { general, floating, vector };

/// How a load or store forms its address: register `base` (0 reads as zero) plus `displacement` or register `index`.
struct MemoryAccess {
  bool load = false;
  bool store = false;
  bool indexed = false;
  bool update = false;  ///< the effective address is written back to `base`
  RegisterBank bank = RegisterBank::general;
  std::uint8_t target = 0;  ///< register moved
  std::uint8_t base = 0;
  std::uint8_t index = 0;
  std::int16_t displacement = 0;
  std::uint8_t size = 0;   ///< bytes moved; 0 where the instruction alone does not tell
  std::uint8_t words = 1;  ///< registers moved one by one: more than 1 for most multiple and string forms
  std::uint8_t bytes = 0;  ///< moved by a multiple or string form that tells
  bool many = false;       ///< a multiple or string form
  bool quad = false;       ///< AltiVec: the low four address bits are ignored
  bool to_gpr = false;     ///< the target is one general purpose register
  bool any() const { return load || store; }
};

/// One PowerPC instruction as far as its kind and addresses go (Power ISA 2.03, books I and II; AltiVec loads and
/// stores).
struct Instruction {
  InstructionClass kind = InstructionClass::integer;
  MemoryAccess memory;
};

Instruction decode_instruction(std::uint32_t word);

/// The effective address, given a function from register number to value. Truncated to 16 bytes for quads.
template <typename ReadGpr>
std::uint32_t effective_address(const MemoryAccess& access, ReadGpr&& read_gpr) {
  const std::uint32_t base = access.base == 0 ? 0 : read_gpr(access.base);
  const std::uint32_t offset = access.indexed
                                   ? read_gpr(access.index)
                                   : static_cast<std::uint32_t>(static_cast<std::int32_t>(access.displacement));
  const std::uint32_t address = base + offset;
  return access.quad ? address & ~std::uint32_t{15} : address;
}

/// Special registers that the kernel gives in place of the engine.
enum class SpecialRegister : std::uint16_t { none = 0, time_base_lower = 268, time_base_upper = 269, version = 287 };
/// Which of them `word` moves to a general purpose register (mftb, mftbu, mfpvr and their mfspr forms).
SpecialRegister special_register_read(std::uint32_t word);

inline constexpr std::uint32_t kSystemCallInstruction = 0x4400'0002;

}  // namespace toroid
