// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/isa/instruction_emulator.h"
#include "hw/isa/power/instruction.h"
#include "hw/isa/power/registers.h"

namespace toroid::ppc64 {

/// What the A2 has and the engine's processor has not: waiting, and of its quad processing extension what moves,
/// adds, compares and selects.
///
/// A register of the extension has four doubles; the first is the floating-point register of the same number.
class Emulator final : public InstructionEmulator {
 public:
  bool execute(const InstructionBytes& instruction, Engine& engine, EmulatedAccess& access) override;
  // power::quad(): what a register has beyond the floating-point register.
  std::optional<std::string> read(Register which) const override;
  bool write(Register which, std::string_view bytes) override;

 private:
  static constexpr unsigned kElements = 4;
  using Four = std::array<double, kElements>;

  using Others = std::array<double, kElements - 1>;  ///< all elements but the first

  Four whole(unsigned number, const Engine& engine) const;
  void set_whole(unsigned number, const Four& value, Engine& engine);
  bool load(const power::Instruction& instruction, Engine& engine, EmulatedAccess& access);
  bool store(const power::Instruction& instruction, Engine& engine, EmulatedAccess& access) const;
  static void wait(const power::Instruction& instruction, EmulatedAccess& access);

  std::array<Others, power::kQuadRegisters> others_{};
};

}  // namespace toroid::ppc64
