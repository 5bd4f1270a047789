// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/ppc32.h"

#include <elf.h>

#include <algorithm>
#include <utility>

#include "hw/isa/ppc32/decoder.h"
#include "hw/isa/ppc32/emulator.h"
#include "hw/isa/ppc32/instruction.h"
#include "hw/isa/ppc32/registers.h"
#include "hw/isa/ppc32/trampoline.h"
#include "hw/isa/ppc32/unicorn_engine.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc32 {
namespace {

constexpr std::uint32_t kBytes = 4;                      // of an instruction
constexpr std::uint32_t kSummaryOverflow = 0x1000'0000;  // CR0.SO: a system call has failed
// The System V ABI's registers.
constexpr unsigned kStackPointer = 1, kThreadPointer = 2, kFirstArgument = 3, kSmallData = 13;
constexpr unsigned kCallNumber = 0;  // Linux's

// mffs, and the bits of it in which newer processors' mffsce, mffscdrn, mffscdrni, mffscrn, mffscrni and mffsl differ.
// Processors without these ignore the bits, which the C library relies on; the engine does nothing at all.
constexpr std::uint32_t kStatusRead = 0xFC00'048E, kStatusReadTarget = 0x03E0'0001, kNewerStatusReads = 0x001F'F800;

bool is_newer_status_read(std::uint32_t word) {
  return (word & ~(kStatusReadTarget | kNewerStatusReads)) == kStatusRead && (word & kNewerStatusReads) != 0;
}

class Ppc32 final : public Isa {
 public:
  Ppc32(const PipelineConfig& config, bool pipeline, bool keeps_user_register)
      : Isa(pipeline), config_(config), keeps_user_register_(keeps_user_register) {}

  const char* name() const override { return "ppc32"; }
  const char* description() const override { return "32-bit big-endian PowerPC"; }
  std::uint64_t hardware_capabilities() const override { return 0x9000'0000; }  // PPC_FEATURE_32, _HAS_ALTIVEC
  const char* platform() const override { return "ppc440"; }
  ByteOrder byte_order() const override { return ByteOrder::big; }
  unsigned word_bytes() const override { return 4; }
  unsigned code_alignment() const override { return kBytes; }
  std::uint16_t elf_machine() const override { return EM_PPC; }
  const RegisterSet& registers() const override { return ppc32::registers(); }
  const RegisterRoles& roles() const override { return roles_; }
  Register general_register(unsigned number) const override { return gpr(number); }

  std::unique_ptr<Engine> make_engine(EngineClient& client, Observation observation) const override {
    return make_unicorn_engine(client, observation);
  }

  std::unique_ptr<InstructionEmulator> make_emulator() const override { return std::make_unique<Emulator>(); }

  std::vector<ReplacedInstruction> replace_instructions(
      std::uint8_t* code, std::uint64_t address, std::uint64_t size,
      const std::function<bool(std::uint64_t)>& is_code) const override;
  void emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
               CoreIdentity& identity) const override;

  unsigned system_call_bytes() const override { return kBytes; }
  SystemCallRequest system_call(const Engine& engine) const override;
  void return_from_system_call(Engine& engine, std::int64_t result) const override;
  std::uint64_t enter_program(Engine& engine, const MemoryView& memory, std::uint64_t entry,
                              std::uint64_t stack) const override;
  void enter_function(Engine& engine, MemoryView& memory, std::uint64_t stack,
                      std::initializer_list<std::uint64_t> arguments) const override;
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
  std::uint64_t return_address(const Engine& engine, const MemoryView&) const override { return engine.read(kLr); }
  std::vector<std::uint64_t> callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const override;

 private:
  std::unique_ptr<BlockDecoder> make_pipeline_decoder(std::vector<CodeSpan> code) const override {
    return std::make_unique<Decoder>(config_, std::move(code));
  }

  const PipelineConfig config_;
  const bool keeps_user_register_;
  const RegisterRoles roles_{kPc, gpr(kStackPointer), kStackPointer, {3, 4, 5, 6, 7, 8, 9, 10}, 3};
};

std::vector<ReplacedInstruction> Ppc32::replace_instructions(std::uint8_t* code, std::uint64_t address,
                                                             std::uint64_t size,
                                                             const std::function<bool(std::uint64_t)>& is_code) const {
  // The engine has no time base, its processor's version and number are not the machine's (and privileged, though
  // kernels let programs read them), and the kernel's special registers are those of another processor.
  std::vector<ReplacedInstruction> replaced;
  for (std::uint64_t offset = -address & (kBytes - 1); offset + kBytes <= size; offset += kBytes) {
    std::uint8_t* const bytes = code + offset;
    // Constants among the code may look like anything.
    const std::uint32_t word = load_be32(bytes);
    const SpecialRegister which = special_register(word);
    const bool reads_status = is_newer_status_read(word);
    const bool kept = which == SpecialRegister::user && !keeps_user_register_;
    if (!reads_status && (which == SpecialRegister::none || kept)) continue;
    if (!is_code(address + offset)) continue;
    ReplacedInstruction& instruction = replaced.emplace_back();
    instruction.address = address + offset;
    instruction.size = kBytes;
    std::copy_n(bytes, kBytes, instruction.original.begin());
    store_be32(bytes, reads_status ? word & ~kNewerStatusReads : kSystemCallInstruction);
  }
  return replaced;
}

void Ppc32::emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
                    CoreIdentity& identity) const {
  const std::uint32_t word = load_be32(instruction.original.data());
  const Register general = gpr(Instruction(word).t());
  const SpecialRegister which = special_register(word);
  if (writes_special_register(word)) {
    identity.registers[static_cast<unsigned>(which)] = engine.read(general);
    return;
  }
  switch (which) {
    case SpecialRegister::time_base_lower:
      engine.write(general, static_cast<std::uint32_t>(cycles));
      break;
    case SpecialRegister::time_base_upper:
      engine.write(general, cycles >> 32);
      break;
    case SpecialRegister::processor:
      engine.write(general, identity.number);
      break;
    case SpecialRegister::version:
      engine.write(general, identity.version);
      break;
    default: {
      const auto found = identity.registers.find(static_cast<unsigned>(which));
      engine.write(general, found == identity.registers.end() ? 0 : found->second);
      break;
    }
  }
}

SystemCallRequest Ppc32::system_call(const Engine& engine) const {
  static_assert(kFirstArgument + kMostCallArguments - 1 <= 12, "registers that a call may change");
  SystemCallRequest request;
  request.number = engine.read(gpr(kCallNumber));
  for (unsigned i = 0; i < request.arguments.size(); ++i) request.arguments[i] = engine.read(gpr(kFirstArgument + i));
  return request;
}

void Ppc32::return_from_system_call(Engine& engine, std::int64_t result) const {
  const bool failed = result < 0 && result >= -4095;
  const std::uint64_t cr = engine.read(kCr);
  engine.write(gpr(kFirstArgument), static_cast<std::uint64_t>(failed ? -result : result));
  engine.write(kCr, failed ? cr | kSummaryOverflow : cr & ~std::uint64_t{kSummaryOverflow});
}

std::uint64_t Ppc32::enter_program(Engine& engine, const MemoryView&, std::uint64_t entry, std::uint64_t stack) const {
  engine.write(gpr(kStackPointer), stack);
  return entry;
}

void Ppc32::enter_function(Engine& engine, MemoryView& memory, std::uint64_t stack,
                           std::initializer_list<std::uint64_t> arguments) const {
  store_be64(memory.host(stack), 0);  // the end of the back chain, and room for the link register
  engine.write(gpr(kStackPointer), stack);
  unsigned number = kFirstArgument;
  for (const std::uint64_t argument : arguments) engine.write(gpr(number++), argument);
  engine.write(kLr, 0);
}

std::vector<std::uint64_t> Ppc32::callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const {
  std::vector<std::uint64_t> addresses;
  // A frame's first word points to its caller's frame, whose second word is where the callee returns to.
  std::uint64_t frame = engine.read(gpr(kStackPointer));
  for (unsigned i = 0; i < most; ++i) {
    const std::uint8_t* const here = memory(frame, 4);
    if (here == nullptr) break;
    const std::uint32_t caller = load_be32(here);
    const std::uint8_t* const above = memory(caller, 8);
    if (caller <= frame || above == nullptr) break;
    const std::uint32_t back = load_be32(above + 4);
    if (back != 0) addresses.push_back(back);
    frame = caller;
  }
  return addresses;
}

}  // namespace

std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline, bool keeps_user_register) {
  return std::make_shared<Ppc32>(config, pipeline, keeps_user_register);
}

}  // namespace toroid::ppc32
