// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/unicorn_engine.h"

#include <unicorn/unicorn.h>

#include <algorithm>
#include <array>

#include "hw/isa/ppc32/instruction.h"
#include "hw/isa/ppc32/registers.h"
#include "hw/isa/unicorn/unicorn_engine.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc32 {
namespace {

constexpr unsigned kBytes = 4;  // of an instruction

// Machine state register: problem (user) state, so that privileged instructions are faults; floating point; AltiVec.
constexpr std::uint32_t kMsrUser = 0x0000'4000;
constexpr std::uint32_t kMsrFloat = 0x0000'2000;
constexpr std::uint32_t kMsrVector = 0x0200'0000;

// Unicorn's exception numbers (those of QEMU's PowerPC target).
constexpr std::uint64_t kNoAddress = 0xFFFF'FFFF;
constexpr std::uint32_t kProgramException = 6;
constexpr std::uint32_t kSystemCallException = 8;
constexpr std::uint32_t kIllegalInstruction = 96;

int unicorn_register(Register which) {
  if (is_general(which)) return UC_PPC_REG_0 + static_cast<int>(which);
  if (is_float(which)) return UC_PPC_REG_FPR0 + static_cast<int>(which) - static_cast<int>(fpr(0));
  switch (which) {
    case kPc:
      return UC_PPC_REG_PC;
    case kMsr:
      return UC_PPC_REG_MSR;
    case kCr:
      return UC_PPC_REG_CR;
    case kLr:
      return UC_PPC_REG_LR;
    case kCtr:
      return UC_PPC_REG_CTR;
    case kXer:
      return UC_PPC_REG_XER;
    case kFpscr:
      return UC_PPC_REG_FPSCR;
    default:
      return UC_PPC_REG_INVALID;
  }
}

void prepare(uc_engine* uc) {
  const std::uint32_t msr = kMsrUser | kMsrFloat | kMsrVector;
  uc_reg_write(uc, UC_PPC_REG_MSR, &msr);
}

// The 440 models of Unicorn have a software-loaded TLB that nobody loads: every data access would fault. The 7457
// executes the same user instructions and has AltiVec.
constexpr unicorn::Architecture kArchitecture = {UC_ARCH_PPC,
                                                 static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN),
                                                 UC_CPU_PPC32_7457A_V1_2,
                                                 &prepare,
                                                 UC_PPC_REG_0,
                                                 UC_PPC_REG_FPR0};

// Vector registers follow the floating-point registers in Unicorn's array of 16-byte registers. Their halves are
// numbers of the host; the places of floating-point registers are those of the high halves.
constexpr std::size_t kVectors = 32;  // before them
constexpr std::size_t kVectorStride = 2;
constexpr int kVectorLowHalf = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : -1;

class Engine32 final : public unicorn::UnicornEngine {
 public:
  Engine32(EngineClient& client, Observation observation) : UnicornEngine(client, kArchitecture, observation) {}

  std::uint64_t read(Register which) const override {
    if (is_float(which)) {
      std::uint64_t value = 0;
      uc_reg_read(uc(), unicorn_register(which), &value);
      return value;
    }
    std::uint32_t value = 0;
    uc_reg_read(uc(), unicorn_register(which), &value);
    return value;
  }
  void write(Register which, std::uint64_t value) override {
    if (is_float(which)) {
      uc_reg_write(uc(), unicorn_register(which), &value);
      return;
    }
    const auto word = static_cast<std::uint32_t>(value);
    uc_reg_write(uc(), unicorn_register(which), &word);
  }

  void read_snapshot(RegisterSnapshot& snapshot) const override {
    constexpr int kBehind = 4;
    static constexpr int kNames[kBehind] = {UC_PPC_REG_LR, UC_PPC_REG_CTR, UC_PPC_REG_CR, UC_PPC_REG_XER};
    static_assert(kSnapshotLr == kGeneralRegisters && kSnapshotCtr == kSnapshotLr + 1 && kSnapshotCr == kSnapshotLr + 2,
                  "in this order");
    std::array<std::uint32_t, kGeneralRegisters + kBehind> words{};
    for (unsigned i = 0; general_ == nullptr && i < kGeneralRegisters; ++i)
      words[i] = static_cast<std::uint32_t>(Engine32::read(gpr(i)));
    if (general_ != nullptr) std::copy_n(general_, kGeneralRegisters, words.begin());
    for (int i = 0; i < kBehind; ++i) uc_reg_read(uc(), kNames[i], &words[kGeneralRegisters + i]);
    std::copy(words.begin(), words.end(), snapshot.values.begin());
  }
  // XER stays: its carry and overflow bits live elsewhere in Unicorn.
  void write_snapshot(const RegisterSnapshot& snapshot) override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i) Engine32::write(gpr(i), snapshot.values[i]);
    Engine32::write(kLr, snapshot.values[kSnapshotLr]);
    Engine32::write(kCtr, snapshot.values[kSnapshotCtr]);
    Engine32::write(kCr, snapshot.values[kSnapshotCr]);
  }

  GeneralRegisters general_registers() override {
    general_ = static_cast<const std::uint32_t*>(processor().general_registers());
    return GeneralRegisters(general_);
  }

  std::optional<Vector> read_vector(Register which) override {
    const std::uint64_t* const high = vector_register(vector_number(which));
    if (high == nullptr) return std::nullopt;
    Vector value{};
    for (unsigned i = 0; i < 8; ++i) {
      value[i] = static_cast<std::uint8_t>(*high >> (56 - 8 * i));
      value[8 + i] = static_cast<std::uint8_t>(high[kVectorLowHalf] >> (56 - 8 * i));
    }
    return value;
  }
  bool write_vector(Register which, const Vector& value) override {
    std::uint64_t* const high = vector_register(vector_number(which));
    if (high == nullptr) return false;
    *high = high[kVectorLowHalf] = 0;
    for (unsigned i = 0; i < 8; ++i) {
      *high = *high << 8 | value[i];
      high[kVectorLowHalf] = high[kVectorLowHalf] << 8 | value[8 + i];
    }
    return true;
  }

 private:
  /// The high half; nullptr if it cannot be found.
  std::uint64_t* vector_register(unsigned number) {
    std::uint64_t* const floats = processor().float_registers();
    return floats == nullptr ? nullptr : floats + (kVectors + number) * kVectorStride;
  }

  std::uint64_t pc() const override { return read(kPc); }
  // No instruction can have this address.
  std::uint64_t no_address() const override { return kNoAddress; }

  std::optional<EngineFault> on_exception(std::uint32_t number) override {
    if (number == kSystemCallException) {
      tell([](EngineClient& client) { client.on_system_call(); });
      return std::nullopt;
    }
    EngineFault fault;
    fault.pc = pc() - kBytes;  // Unicorn's PC is behind the instruction
    fault.exception = number;
    InstructionBytes bytes{};
    if (number == kIllegalInstruction || number == kProgramException) processor().fetch(fault.pc, bytes.data(), kBytes);
    if (number == kIllegalInstruction) {
      bool executed = false;
      tell([&](EngineClient& client) { executed = client.on_unknown_instruction(fault.pc, bytes); });
      if (executed) return std::nullopt;
      fault.kind = FaultKind::illegal_instruction;
    } else if (number == kProgramException) {
      fault.kind = is_trap(load_be32(bytes.data())) ? FaultKind::trap : FaultKind::privileged_instruction;
    }
    return fault;
  }

  const std::uint32_t* general_ = nullptr;  ///< where they lie, once that is known
};

}  // namespace

std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation) {
  return std::make_unique<Engine32>(client, observation);
}

}  // namespace toroid::ppc32
