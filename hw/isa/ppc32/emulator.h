// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/isa/instruction_emulator.h"
#include "hw/isa/power/instruction.h"

namespace toroid::ppc32 {

using power::Instruction;

/// What embedded PowerPCs have and the engine's processor has not: moves of the double floating-point unit, a few
/// instructions of the 440, and device control registers.
class Emulator final : public InstructionEmulator {
 public:
  bool execute(const InstructionBytes& instruction, Engine& engine, EmulatedAccess& access) override;

 private:
  bool load_pair(const Instruction& instruction, Engine& engine, EmulatedAccess& access);
  bool store_pair(const Instruction& instruction, Engine& engine, EmulatedAccess& access) const;

  /// The second floating-point register file.
  std::array<std::uint64_t, 32> secondary_{};
};

}  // namespace toroid::ppc32
