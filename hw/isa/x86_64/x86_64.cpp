// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/x86_64.h"

#include <elf.h>

#include <algorithm>
#include <utility>

#include "hw/isa/x86_64/cpuid.h"
#include "hw/isa/x86_64/decoder.h"
#include "hw/isa/x86_64/registers.h"
#include "hw/isa/x86_64/unicorn_engine.h"
#include "hw/memory/byte_order.h"

namespace toroid::x86_64 {
namespace {

constexpr std::uint64_t kWord = 8;
// Registers of Linux's system calls and of the System V ABI's functions.
constexpr std::array<unsigned, 6> kCallArguments = {kRdi, kRsi, kRdx, kR10, kR8, kR9};
constexpr std::array<unsigned, 6> kFunctionArguments = {kRdi, kRsi, kRdx, kRcx, kR8, kR9};
constexpr std::array<std::uint8_t, 2> kCpuid = {0x0F, 0xA2};
constexpr std::array<std::uint8_t, 3> kRdtscp = {0x0F, 0x01, 0xF9};

class X8664 final : public Isa {
 public:
  X8664(const PipelineConfig& config, bool pipeline) : Isa(pipeline), config_(config) {}

  const char* name() const override { return "x86_64"; }
  const char* description() const override { return "64-bit little-endian x86-64"; }
  std::uint64_t hardware_capabilities() const override { return standard_features(); }
  const char* platform() const override { return "x86_64"; }
  unsigned data_line_bytes() const override { return 64; }
  ByteOrder byte_order() const override { return ByteOrder::little; }
  unsigned word_bytes() const override { return kWord; }
  unsigned code_alignment() const override { return 1; }
  std::uint16_t elf_machine() const override { return EM_X86_64; }
  const RegisterSet& registers() const override { return x86_64::registers(); }
  const RegisterRoles& roles() const override { return roles_; }
  Register general_register(unsigned number) const override { return gpr(number); }

  std::unique_ptr<Engine> make_engine(EngineClient& client, Observation observation) const override {
    return make_unicorn_engine(client, observation);
  }

  /// The engine tells of those instructions: the length of instructions varies, so they cannot be searched for.
  std::vector<ReplacedInstruction> replace_instructions(std::uint8_t*, std::uint64_t, std::uint64_t,
                                                        const std::function<bool(std::uint64_t)>&) const override {
    return {};
  }
  void emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
               CoreIdentity& identity) const override;

  bool has_general_protection() const override { return true; }
  unsigned system_call_bytes() const override { return 2; }
  SystemCallRequest system_call(const Engine& engine) const override;
  void return_from_system_call(Engine& engine, std::int64_t result) const override {
    engine.write(gpr(kRax), static_cast<std::uint64_t>(result));
  }
  void reset_control(Engine& engine) const override;
  std::uint64_t enter_program(Engine& engine, const MemoryView& memory, std::uint64_t entry,
                              std::uint64_t stack) const override;
  std::uint64_t enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                               std::initializer_list<std::uint64_t> arguments) const override;
  ThreadRegisters thread_registers(const Engine& engine) const override {
    return {engine.read(kFsBase), engine.read(kGsBase)};
  }
  void set_thread_registers(Engine& engine, const ThreadRegisters& values) const override {
    engine.write(kFsBase, values[0]);
    engine.write(kGsBase, values[1]);
  }
  std::uint64_t return_address(const Engine& engine, const MemoryView& memory) const override {
    const std::uint64_t stack = engine.read(gpr(kRsp));
    return memory.contains(stack, kWord) ? load_u64(memory.host(stack), ByteOrder::little) : 0;
  }
  void set_return_address(Engine& engine, MemoryView& memory, std::uint64_t address) const override {
    store_u64(memory.host(engine.read(gpr(kRsp))), address, ByteOrder::little);
  }
  unsigned red_zone_bytes() const override { return 128; }
  /// "System V ABI, AMD64 supplement", figure 3.36.
  std::vector<Register> frame_registers() const override {
    std::vector<Register> registers;
    for (const unsigned each : {kRax, kRdx, kRcx, kRbx, kRsi, kRdi, kRbp, kRsp}) registers.push_back(gpr(each));
    for (unsigned each = 8; each < kGeneralRegisters; ++each) registers.push_back(gpr(each));
    return registers;
  }
  std::vector<std::uint64_t> callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const override;

 private:
  std::unique_ptr<BlockDecoder> make_pipeline_decoder(std::vector<CodeSpan> code) const override {
    return std::make_unique<Decoder>(config_, std::move(code));
  }

  const PipelineConfig config_;
  const RegisterRoles roles_{kRip, gpr(kRsp), kRsp, {kFunctionArguments.begin(), kFunctionArguments.end()}, kRax};
};

void X8664::emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
                    CoreIdentity& identity) const {
  if (std::equal(kCpuid.begin(), kCpuid.end(), instruction.original.begin())) {
    const CpuidAnswer answer = cpuid(static_cast<std::uint32_t>(engine.read(gpr(kRax))), identity);
    engine.write(gpr(kRax), answer.eax);
    engine.write(gpr(kRbx), answer.ebx);
    engine.write(gpr(kRcx), answer.ecx);
    engine.write(gpr(kRdx), answer.edx);
    return;
  }
  engine.write(gpr(kRax), cycles & 0xFFFF'FFFF);
  engine.write(gpr(kRdx), cycles >> 32);
  // Linux keeps the number of the processor there.
  if (std::equal(kRdtscp.begin(), kRdtscp.end(), instruction.original.begin()))
    engine.write(gpr(kRcx), identity.number);
}

SystemCallRequest X8664::system_call(const Engine& engine) const {
  SystemCallRequest request;
  request.number = engine.read(gpr(kRax));
  for (unsigned i = 0; i < kCallArguments.size(); ++i) request.arguments[i] = engine.read(gpr(kCallArguments[i]));
  return request;
}

/// "System V ABI, AMD64 supplement", 3.4.1, "Initial Stack and Register State".
void X8664::reset_control(Engine& engine) const {
  constexpr std::uint64_t kNearestAllMasked = 0x37F, kAllEmpty = 0xFFFF, kSseAllMasked = 0x1F80;
  constexpr std::uint64_t kTrap = 0x100, kDirection = 0x400;
  engine.write(kX87Control, kNearestAllMasked);
  engine.write(kX87Status, 0);
  engine.write(kX87Tags, kAllEmpty);
  engine.write(kMxcsr, kSseAllMasked);
  engine.write(kEflags, engine.read(kEflags) & ~(kTrap | kDirection));
}

std::uint64_t X8664::enter_program(Engine& engine, const MemoryView&, std::uint64_t entry, std::uint64_t stack) const {
  engine.write(gpr(kRsp), stack);
  engine.write(gpr(kRdx), 0);  // no function to be called at the end
  return entry;
}

std::uint64_t X8664::enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                                    std::initializer_list<std::uint64_t> arguments) const {
  stack = (stack & ~std::uint64_t{15}) - kWord;
  store_u64(memory.host(stack), 0, ByteOrder::little);
  engine.write(gpr(kRsp), stack);
  engine.write(gpr(kRbp), 0);
  unsigned number = 0;
  for (const std::uint64_t argument : arguments) engine.write(gpr(kFunctionArguments[number++]), argument);
  return function;
}

/// By frame pointers, where the functions keep them.
std::vector<std::uint64_t> X8664::callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const {
  std::vector<std::uint64_t> addresses;
  std::uint64_t frame = engine.read(gpr(kRbp));
  for (unsigned i = 0; i < most; ++i) {
    const std::uint8_t* const here = frame % kWord == 0 ? memory(frame, 2 * kWord) : nullptr;
    if (here == nullptr) break;
    const std::uint64_t caller = load_u64(here, ByteOrder::little);
    const std::uint64_t back = load_u64(here + kWord, ByteOrder::little);
    if (memory(back, 1) == nullptr) break;  // the register holds something else
    addresses.push_back(back);
    if (caller <= frame) break;
    frame = caller;
  }
  return addresses;
}

}  // namespace

std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline) {
  return std::make_shared<X8664>(config, pipeline);
}

}  // namespace toroid::x86_64
