// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/ppc32.h"

#include <elf.h>

#include "hw/isa/power/power_isa.h"
#include "hw/isa/ppc32/emulator.h"
#include "hw/isa/ppc32/trampoline.h"

namespace toroid::ppc32 {
namespace {

using power::gpr;

constexpr unsigned kThreadPointer = 2, kSmallData = 13;  // the System V ABI's registers

class Ppc32 final : public power::PowerIsa {
 public:
  Ppc32(const power::PipelineConfig& config, bool pipeline, bool keeps_user_register)
      : PowerIsa(power::Width::narrow, config, power::Dispatch::two_to_their_pipes, pipeline, keeps_user_register) {}

  const char* name() const override { return "ppc32"; }
  const char* description() const override { return "32-bit big-endian PowerPC"; }
  std::uint64_t hardware_capabilities() const override { return 0x9000'0000; }  // PPC_FEATURE_32, _HAS_ALTIVEC
  const char* platform() const override { return "ppc440"; }
  std::uint16_t elf_machine() const override { return EM_PPC; }

  std::unique_ptr<InstructionEmulator> make_emulator() const override { return std::make_unique<Emulator>(); }

  std::uint64_t enter_program(Engine& engine, const MemoryView&, std::uint64_t entry,
                              std::uint64_t stack) const override {
    engine.write(gpr(kStackPointer), stack);
    return entry;
  }
  unsigned data_line_bytes() const override { return 32; }
  unsigned trampoline_bytes() const override { return kTrampolineBytes; }
  std::optional<Trampoline> trampoline(const std::uint8_t* code) const override { return find_trampoline(code); }
  void enter_by(const Trampoline& trampoline, Engine& engine) const override { ppc32::enter_by(trampoline, engine); }
  ThreadRegisters thread_registers(const Engine& engine) const override {
    return {engine.read(gpr(kThreadPointer)), engine.read(gpr(kSmallData))};
  }
  void set_thread_registers(Engine& engine, const ThreadRegisters& values) const override {
    engine.write(gpr(kThreadPointer), values[0]);
    engine.write(gpr(kSmallData), values[1]);
  }
};

}  // namespace

std::shared_ptr<const Isa> make_isa(const power::PipelineConfig& config, bool pipeline, bool keeps_user_register) {
  return std::make_shared<Ppc32>(config, pipeline, keeps_user_register);
}

}  // namespace toroid::ppc32
