// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc64/ppc64.h"

#include <elf.h>

#include "hw/isa/power/power_isa.h"
#include "hw/isa/ppc64/emulator.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc64 {
namespace {

using power::gpr;

constexpr unsigned kTableOfContents = 2, kThreadPointer = 13;  // the ABI's registers
// A function is known by the address of its descriptor: its code, its table of contents, its environment.
constexpr unsigned kDescriptorContents = 8, kDescriptorBytes = 24;

class Ppc64 final : public power::PowerIsa {
 public:
  Ppc64(const PipelineConfig& config, bool pipeline)
      : PowerIsa(power::Width::wide, config, power::Dispatch::one_when_ready, pipeline, false) {}

  const char* name() const override { return "ppc64"; }
  const char* description() const override { return "64-bit big-endian PowerPC"; }
  // PPC_FEATURE_32, _64, _HAS_FPU and _HAS_MMU: the C library chooses no function with AltiVec or VSX.
  std::uint64_t hardware_capabilities() const override { return 0xCC00'0000; }
  const char* platform() const override { return "ppca2"; }
  unsigned data_line_bytes() const override { return 64; }
  std::uint16_t elf_machine() const override { return EM_PPC64; }

  std::unique_ptr<InstructionEmulator> make_emulator() const override { return std::make_unique<Emulator>(); }

  std::uint64_t enter_program(Engine& engine, const MemoryView& memory, std::uint64_t entry,
                              std::uint64_t stack) const override {
    engine.write(gpr(kStackPointer), stack);
    return follow(engine, memory, entry);
  }
  std::optional<std::uint64_t> code_of(std::uint64_t function, const ReadableMemory& memory) const override {
    const std::uint8_t* const descriptor = memory(function, kDescriptorBytes);
    return descriptor == nullptr ? std::nullopt : std::optional(load_be64(descriptor));
  }
  std::uint64_t enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                               std::initializer_list<std::uint64_t> arguments) const override {
    return follow(engine, memory, PowerIsa::enter_function(engine, memory, function, stack, arguments));
  }
  ThreadRegisters thread_registers(const Engine& engine) const override {
    return {engine.read(gpr(kThreadPointer)), engine.read(gpr(kTableOfContents))};
  }
  void set_thread_registers(Engine& engine, const ThreadRegisters& values) const override {
    engine.write(gpr(kThreadPointer), values[0]);
    engine.write(gpr(kTableOfContents), values[1]);
  }

 private:
  /// The descriptor of a function that begins. Returns where its code is.
  static std::uint64_t follow(Engine& engine, const MemoryView& memory, std::uint64_t descriptor) {
    if (!memory.contains(descriptor, kDescriptorBytes)) return descriptor;  // which is a fault there
    const std::uint8_t* const words = memory.host(descriptor);
    engine.write(gpr(kTableOfContents), load_be64(words + kDescriptorContents));
    return load_be64(words);
  }
};

}  // namespace

std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline) {
  return std::make_shared<Ppc64>(config, pipeline);
}

}  // namespace toroid::ppc64
