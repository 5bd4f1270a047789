// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <vector>

#include "hw/isa/memory_operand.h"

namespace toroid::x86_64 {

/// An instruction, decoded by Zydis, with its explicit and implicit operands.
struct Instruction {
  ZydisDecodedInstruction code{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
  std::uint64_t address = 0;

  std::uint64_t next() const { return address + code.length; }
  bool has(ZydisInstructionAttributes attributes) const { return (code.attributes & attributes) != 0; }
  /// It has a locked read-modify-write, written or implied (xchg with memory).
  bool locked() const;
  /// It repeats itself: the engine makes a block of each turn.
  bool repeats() const { return has(ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE); }
};

/// A number that stands for a general purpose register, whatever part of it the instruction names, or
/// MemoryOperand::kNoRegister.
std::uint8_t general_number(ZydisRegister which);

/// The instruction's bytes up to `most` at `bytes`; false if that is none.
bool decode(const std::uint8_t* bytes, std::uint64_t most, std::uint64_t address, Instruction& instruction);

/// A memory operand of an instruction.
struct MemoryAccess {
  MemoryOperand operand;
  AccessKind kind = AccessKind::load;
  bool thread_local_storage = false;  ///< lies behind a segment's base, which no general purpose register holds
};
/// What an instruction accesses, in the order in which it does: a load before the store to the same place.
std::vector<MemoryAccess> accesses_of(const Instruction& instruction);

/// Whether its whole effect shows in general purpose registers, flags and memory (hw/core/spin.h).
bool is_steady(const Instruction& instruction);

/// Whether stores before it are visible before any behind it: mfence, sfence, locked and serialising instructions, and
/// those that access I/O. What they drain: write-combining buffers.
bool drains_stores(const Instruction& instruction);

}  // namespace toroid::x86_64
