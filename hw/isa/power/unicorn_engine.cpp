// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/unicorn_engine.h"

#include <unicorn/unicorn.h>

#include <stdexcept>

#include "hw/isa/power/instruction.h"
#include "hw/isa/power/registers.h"
#include "hw/isa/unicorn/unicorn_engine.h"
#include "hw/memory/big_endian.h"

namespace toroid::power {
namespace {

constexpr unsigned kBytes = 4;  // of an instruction

// Machine state register: problem (user) state, so that privileged instructions are faults; floating point; AltiVec.
constexpr std::uint32_t kMsrUser = 0x0000'4000;
constexpr std::uint32_t kMsrFloat = 0x0000'2000;
constexpr std::uint32_t kMsrVector = 0x0200'0000;
constexpr std::uint64_t kMsrSixtyFour = std::uint64_t{1} << 63;

// Unicorn's exception numbers (those of QEMU's PowerPC target).
constexpr std::uint32_t kAlignmentException = 5;
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

void prepare_narrow(uc_engine* uc) {
  const std::uint32_t msr = kMsrUser | kMsrFloat | kMsrVector;
  uc_reg_write(uc, UC_PPC_REG_MSR, &msr);
}

// The 440 models of Unicorn have a software-loaded TLB that nobody loads: every data access would fault. The 7457
// executes the same user instructions and has AltiVec.
constexpr unicorn::Architecture kNarrow = {UC_ARCH_PPC,
                                           static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN),
                                           UC_CPU_PPC32_7457A_V1_2,
                                           &prepare_narrow,
                                           UC_PPC_REG_0,
                                           UC_PPC_REG_FPR0};

#ifdef TOROID_UNICORN_FROM_SOURCE
void prepare_wide(uc_engine* uc) {
  const std::uint64_t msr = kMsrSixtyFour | kMsrUser | kMsrFloat;
  uc_reg_write(uc, UC_PPC_REG_MSR, &msr);
}

// Without an MMU, AltiVec and VSX: what is not the A2's is an illegal instruction.
constexpr unicorn::Architecture kWide = {UC_ARCH_PPC,          static_cast<uc_mode>(UC_MODE_PPC64 | UC_MODE_BIG_ENDIAN),
                                         UC_CPU_PPC64_A2_V2_0, &prepare_wide,
                                         UC_PPC_REG_0,         UC_PPC_REG_FPR0};
const unicorn::Architecture& wide() {
  return kWide;
}
#else
const unicorn::Architecture& wide() {
  throw std::runtime_error(
      "the instruction-set engine of this build, Debian's Unicorn, has no 64-bit PowerPC; build with "
      "TOROID_UNICORN=source");
}
#endif

// Vector registers follow the floating-point registers in Unicorn's array of 16-byte registers. Their halves are
// numbers of the host; the places of floating-point registers are those of the high halves.
constexpr std::size_t kVectors = 32;  // before them
constexpr std::size_t kVectorStride = 2;
constexpr int kVectorLowHalf = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : -1;

template <typename Word>
class PowerEngine final : public unicorn::UnicornEngine {
 public:
  PowerEngine(EngineClient& client, const unicorn::Architecture& architecture, Observation observation)
      : UnicornEngine(client, architecture, observation) {}

  std::uint64_t read(Register which) const override {
    if (is_float(which)) return read_as<std::uint64_t>(which);
    return is_word(which) ? read_as<Word>(which) : read_as<std::uint32_t>(which);
  }
  void write(Register which, std::uint64_t value) override {
    if (is_float(which)) {
      write_as<std::uint64_t>(which, value);
    } else if (is_word(which)) {
      write_as<Word>(which, value);
    } else {
      write_as<std::uint32_t>(which, value);
    }
  }

  void read_snapshot(RegisterSnapshot& snapshot) const override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i)
      snapshot.values[i] = general_ == nullptr ? PowerEngine::read(gpr(i)) : general_[i];
    static constexpr Register kBehind[] = {kLr, kCtr, kCr, kXer};
    static_assert(kSnapshotLr == kGeneralRegisters && kSnapshotCtr == kSnapshotLr + 1 &&
                      kSnapshotCr == kSnapshotLr + 2 && kSnapshotXer == kSnapshotLr + 3,
                  "in this order");
    unsigned place = kSnapshotLr;
    for (const Register each : kBehind) snapshot.values[place++] = PowerEngine::read(each);
  }
  void write_snapshot(const RegisterSnapshot& snapshot) override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i) PowerEngine::write(gpr(i), snapshot.values[i]);
    PowerEngine::write(kLr, snapshot.values[kSnapshotLr]);
    PowerEngine::write(kCtr, snapshot.values[kSnapshotCtr]);
    PowerEngine::write(kCr, snapshot.values[kSnapshotCr]);
    PowerEngine::write(kXer, snapshot.values[kSnapshotXer]);
  }

  GeneralRegisters general_registers() override {
    general_ = static_cast<const Word*>(processor().general_registers());
    return GeneralRegisters(general_);
  }

  std::optional<std::uint64_t> reservation() override {
    const Word* const address = reserved_address();
    return address == nullptr || *address == kNotReserved ? std::nullopt : std::optional<std::uint64_t>(*address);
  }
  void lose_reservation() override {
    if (Word* const address = reserved_address()) *address = kNotReserved;
  }

  std::optional<Vector> read_vector(Register which) override {
    const std::uint64_t* const high = vector_register(which);
    if (high == nullptr) return std::nullopt;
    Vector value{};
    for (unsigned i = 0; i < 8; ++i) {
      value[i] = static_cast<std::uint8_t>(*high >> (56 - 8 * i));
      value[8 + i] = static_cast<std::uint8_t>(high[kVectorLowHalf] >> (56 - 8 * i));
    }
    return value;
  }
  bool write_vector(Register which, const Vector& value) override {
    std::uint64_t* const high = vector_register(which);
    if (high == nullptr) return false;
    *high = high[kVectorLowHalf] = 0;
    for (unsigned i = 0; i < 8; ++i) {
      *high = *high << 8 | value[i];
      high[kVectorLowHalf] = high[kVectorLowHalf] << 8 | value[8 + i];
    }
    return true;
  }

 private:
  /// One that has a word's size, and not always 32 bits.
  static bool is_word(Register which) {
    return is_general(which) || which == kPc || which == kMsr || which == kLr || which == kCtr;
  }
  /// nullptr if the library does not tell.
  Word* reserved_address() {
#ifdef TOROID_UNICORN_FROM_SOURCE
    void* place = nullptr;
    if (reserved_ == nullptr && uc_reg_pointer(uc(), UC_PPC_REG_RESERVATION, &place) == UC_ERR_OK)
      reserved_ = static_cast<Word*>(place);
#endif
    return reserved_;
  }
  template <typename Value>
  std::uint64_t read_as(Register which) const {
    Value value = 0;
    uc_reg_read(uc(), unicorn_register(which), &value);
    return value;
  }
  template <typename Value>
  void write_as(Register which, std::uint64_t value) {
    const auto written = static_cast<Value>(value);
    uc_reg_write(uc(), unicorn_register(which), &written);
  }

  /// The high half; nullptr if it cannot be found, or the processor has none.
  std::uint64_t* vector_register(Register which) {
    std::uint64_t* const floats = sizeof(Word) == 4 ? processor().float_registers() : nullptr;
    return floats == nullptr ? nullptr : floats + (kVectors + vector_number(which)) * kVectorStride;
  }

  std::uint64_t pc() const override {
    return read(kPc);
  }
  // No instruction can have this address.
  std::uint64_t no_address() const override {
    return static_cast<Word>(~Word{0});
  }

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
    } else if (number == kAlignmentException) {
      fault.kind = FaultKind::misaligned_read;  // a store that needs the reservation has failed before
    } else if (number == kProgramException) {
      fault.kind = is_trap(load_be32(bytes.data())) ? FaultKind::trap : FaultKind::privileged_instruction;
    }
    return fault;
  }

  static constexpr Word kNotReserved = ~Word{0};
  Word* reserved_ = nullptr;       ///< where it keeps the address that it has reserved, once that is known
  const Word* general_ = nullptr;  ///< where they lie, once that is known
};

}  // namespace

std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client, Observation observation, Width width) {
  if (width == Width::wide) return std::make_unique<PowerEngine<std::uint64_t>>(client, wide(), observation);
  return std::make_unique<PowerEngine<std::uint32_t>>(client, kNarrow, observation);
}

}  // namespace toroid::power
