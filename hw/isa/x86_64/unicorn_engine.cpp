// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/unicorn_engine.h"

#include <unicorn/unicorn.h>

#include <algorithm>
#include <array>

#include "hw/isa/unicorn/unicorn_engine.h"
#include "hw/isa/x86_64/registers.h"

namespace toroid::x86_64 {
namespace {

// Exceptions by their vectors.
constexpr std::uint32_t kDivision = 0, kStep = 1, kBreakpoint = 3, kGeneralProtection = 13;
constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};  // not canonical
constexpr std::uint64_t kSystemCallBytes = 2;
// Control register 4: the operating system saves SSE registers, and takes SSE's exceptions.
constexpr std::uint64_t kSaveSse = 0x200, kSseExceptions = 0x400;
// A register of the model's own: there are system calls, so that to return from one is a question of privilege.
constexpr std::uint32_t kExtendedFeatures = 0xC000'0080;
constexpr std::uint64_t kSystemCalls = 1;

constexpr int kGeneral[kGeneralRegisters] = {
    UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX, UC_X86_REG_RSP, UC_X86_REG_RBP,
    UC_X86_REG_RSI, UC_X86_REG_RDI, UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
    UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
};

int unicorn_register(Register which) {
  if (is_general(which)) {
    for (unsigned number = 0; number < kGeneralRegisters; ++number) {
      if (gpr(number) == which) return kGeneral[number];
    }
  }
  if (is_x87(which)) return UC_X86_REG_ST0 + static_cast<int>(which) - static_cast<int>(st(0));
  if (is_vector(which)) return UC_X86_REG_XMM0 + static_cast<int>(which) - static_cast<int>(xmm(0));
  switch (which) {
    case kRip:
      return UC_X86_REG_RIP;
    case kEflags:
      return UC_X86_REG_EFLAGS;
    case kX87Control:
      return UC_X86_REG_FPCW;
    case kX87Status:
      return UC_X86_REG_FPSW;
    case kX87Tags:
      return UC_X86_REG_FPTAG;
    case kX87CodeSegment:
      return UC_X86_REG_FCS;
    case kX87Code:
      return UC_X86_REG_FIP;
    case kX87DataSegment:
      return UC_X86_REG_FDS;
    case kX87Data:
      return UC_X86_REG_FDP;
    case kX87Operation:
      return UC_X86_REG_FOP;
    case kMxcsr:
      return UC_X86_REG_MXCSR;
    case kFsBase:
      return UC_X86_REG_FS_BASE;
    case kGsBase:
      return UC_X86_REG_GS_BASE;
    default:
      return UC_X86_REG_INVALID;
  }
}

void prepare(uc_engine* uc) {
  std::uint64_t control = 0;
  uc_reg_read(uc, UC_X86_REG_CR4, &control);
  control |= kSaveSse | kSseExceptions;
  uc_reg_write(uc, UC_X86_REG_CR4, &control);
  uc_x86_msr features = {kExtendedFeatures, 0};
  uc_reg_read(uc, UC_X86_REG_MSR, &features);
  features.value |= kSystemCalls;
  uc_reg_write(uc, UC_X86_REG_MSR, &features);
}

void add_hooks(uc_engine* uc, unicorn::UnicornEngine* const* running);

constexpr unicorn::Architecture kArchitecture = {
    UC_ARCH_X86, UC_MODE_64, UC_CPU_X86_OPTERON_G3, &prepare, UC_X86_REG_RAX, UC_X86_REG_INVALID, kGeneral, &add_hooks};

class Engine64 final : public unicorn::UnicornEngine {
 public:
  Engine64(EngineClient& client, Observation observation) : UnicornEngine(client, kArchitecture, observation) {}

  std::uint64_t read(Register which) const override {
    std::uint64_t value = 0;
    uc_reg_read(uc(), unicorn_register(which), &value);
    return value;
  }
  void write(Register which, std::uint64_t value) override {
    if (which == kX87Status) {
      write_x87_status(value);
    } else {
      uc_reg_write(uc(), unicorn_register(which), &value);
    }
  }

  void read_snapshot(RegisterSnapshot& snapshot) const override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i)
      snapshot.values[i] = general_ != nullptr ? general_[i] : Engine64::read(gpr(i));
    snapshot.values[kSnapshotEflags] = Engine64::read(kEflags);
  }
  void write_snapshot(const RegisterSnapshot& snapshot) override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i) Engine64::write(gpr(i), snapshot.values[i]);
    Engine64::write(kEflags, snapshot.values[kSnapshotEflags]);
  }

  GeneralRegisters general_registers() override {
    general_ = static_cast<const std::uint64_t*>(processor().general_registers());
    return GeneralRegisters(general_);
  }

  std::optional<Vector> read_vector(Register which) override {
    Vector value{};
    if (uc_reg_read(uc(), unicorn_register(which), value.data()) != UC_ERR_OK) return std::nullopt;
    return value;
  }
  bool write_vector(Register which, const Vector& value) override {
    return uc_reg_write(uc(), unicorn_register(which), value.data()) == UC_ERR_OK;
  }

  /// The library's program counter is at the instruction, and moves behind it afterwards.
  void on_system_call() {
    std::uint64_t* const pc = place_of_pc();
    if (pc == nullptr) return;
    *pc += kSystemCallBytes;
    tell([](EngineClient& client) { client.on_system_call(); });
    *pc -= kSystemCallBytes;
  }
  void on_machine_instruction() {
    InstructionBytes bytes{};
    const std::uint64_t at = pc();
    for (std::size_t size = bytes.size(); size != 0 && !processor().fetch(at, bytes.data(), size);) --size;
    tell([&](EngineClient& client) { client.on_machine_instruction(at, bytes); });
  }

 private:
  /// Moves the top of the x87's stack. The registers keep their names, as where an instruction loads them all
  /// (fxrstor).
  void write_x87_status(std::uint64_t value) {
    std::array<Vector, kX87Registers> values{};
    for (unsigned i = 0; i < kX87Registers; ++i) uc_reg_read(uc(), unicorn_register(st(i)), values[i].data());
    uc_reg_write(uc(), unicorn_register(kX87Status), &value);
    for (unsigned i = 0; i < kX87Registers; ++i) uc_reg_write(uc(), unicorn_register(st(i)), values[i].data());
  }

  std::uint64_t* place_of_pc() const {
    void* place = nullptr;
    uc_reg_pointer(uc(), UC_X86_REG_RIP, &place);
    return static_cast<std::uint64_t*>(place);
  }

  std::uint64_t pc() const override { return read(kRip); }
  std::uint64_t no_address() const override { return kNoAddress; }

  std::optional<EngineFault> on_exception(std::uint32_t number) override {
    EngineFault fault;
    fault.pc = pc();
    fault.exception = number;
    if (number == kStep) fault.kind = FaultKind::step;
    if (number == kBreakpoint) fault.kind = FaultKind::trap;
    if (number == kDivision) fault.kind = FaultKind::division;
    if (number == kGeneralProtection) fault.kind = FaultKind::privileged_instruction;
    return fault;
  }

  const std::uint64_t* general_ = nullptr;  ///< where they lie, once that is known
};

Engine64& engine_of(void* running) {
  return static_cast<Engine64&>(**static_cast<unicorn::UnicornEngine* const*>(running));
}
void on_system_call(uc_engine*, void* running) {
  engine_of(running).on_system_call();
}
/// True: the library does nothing itself.
int on_machine_instruction(uc_engine*, void* running) {
  engine_of(running).on_machine_instruction();
  return 1;
}

void add_hooks(uc_engine* uc, unicorn::UnicornEngine* const* running) {
  const auto add = [uc, running](void* callback, int instruction) {
    uc_hook handle;
    // The library passes it on to the callbacks, which do not change it.
    void* const data = const_cast<unicorn::UnicornEngine**>(running);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    unicorn::check(uc_hook_add(uc, &handle, UC_HOOK_INSN, callback, data, 1, 0, instruction), "hook into");
  };
  add(reinterpret_cast<void*>(&on_system_call), UC_X86_INS_SYSCALL);
  for (const int instruction : {UC_X86_INS_CPUID, UC_X86_INS_RDTSC, UC_X86_INS_RDTSCP})
    add(reinterpret_cast<void*>(&on_machine_instruction), instruction);
}

}  // namespace

std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation) {
  return std::make_unique<Engine64>(client, observation);
}

}  // namespace toroid::x86_64
