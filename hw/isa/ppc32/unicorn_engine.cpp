// SPDX-License-Identifier: Apache-2.0
//
// The only file that includes Unicorn, in a shared library of its own: Unicorn is under the GPL-2.0, so a binary of
// this library together with Unicorn is as well. Everything else knows hw/isa/engine.h alone.
#include "hw/isa/ppc32/unicorn_engine.h"

#include <sys/mman.h>
#include <unicorn/unicorn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/isa/ppc32/instruction.h"
#include "hw/isa/ppc32/registers.h"
#include "hw/isa/ppc32/unicorn_fast_stores.h"
#include "hw/isa/ppc32/unicorn_registers.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc32 {
namespace {

// Machine state register: problem (user) state, so that privileged instructions are faults; floating point; AltiVec.
constexpr std::uint32_t kMsrUser = 0x0000'4000;
constexpr std::uint32_t kMsrFloat = 0x0000'2000;
constexpr std::uint32_t kMsrVector = 0x0200'0000;

// Unicorn's exception numbers (those of QEMU's PowerPC target).
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

std::uint32_t unicorn_permissions(unsigned permissions) {
  std::uint32_t result = UC_PROT_NONE;
  if (permissions & kReadable) result |= UC_PROT_READ;
  if (permissions & kWritable) result |= UC_PROT_WRITE;
  if (permissions & kExecutable) result |= UC_PROT_EXEC;
  return result;
}

/// Unicorn reserves this much address space for the code that it makes, and ends the process where it gets none.
constexpr std::size_t kReserved = std::size_t{1} << 30;

void require_address_space() {
  void* const trial = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) {
    throw std::runtime_error("the host has no room for an instruction-set engine, which reserves " +
                             std::to_string(kReserved >> 20) + " MiB of addresses: " + std::strerror(errno));
  }
  munmap(trial, kReserved);
}

class UnicornEngine final : public Engine, private StorePolicy {
 public:
  explicit UnicornEngine(EngineClient& client) : client_(client) {
    require_address_space();
    check(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc_), "open");
    // The 440 models of Unicorn have a software-loaded TLB that nobody loads: every data access would fault. The 7457
    // executes the same user instructions and has AltiVec.
    check(uc_ctl_set_cpu_model(uc_, UC_CPU_PPC32_7457A_V1_2), "select the processor model of");
    UnicornEngine::write(kMsr, kMsrUser | kMsrFloat | kMsrVector);
    hook(UC_HOOK_BLOCK, reinterpret_cast<void*>(&on_block), 1, 0);
    hook(UC_HOOK_INTR, reinterpret_cast<void*>(&on_interrupt), 1, 0);
    hook(UC_HOOK_MEM_INVALID, reinterpret_cast<void*>(&on_bad_access), 1, 0);
  }
  UnicornEngine(const UnicornEngine&) = delete;
  UnicornEngine& operator=(const UnicornEngine&) = delete;
  ~UnicornEngine() override { uc_close(uc_); }

  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions) override {
    if (uc_mem_map_ptr(uc_, address, size, unicorn_permissions(permissions), host) != UC_ERR_OK) return false;
    memory_[address] = {size, permissions};
    return true;
  }
  bool unmap_memory(std::uint64_t address, std::uint64_t size) override {
    memory_.erase(address);
    return uc_mem_unmap(uc_, address, size) == UC_ERR_OK;
  }
  bool map_device(std::uint64_t address, std::uint64_t size) override {
    // Unicorn gives the offset in the window only; each window carries its base.
    windows_.push_back(std::make_unique<Window>(Window{this, address}));
    void* window = windows_.back().get();
    return uc_mmio_map(uc_, address, size, &on_device_read, window, &on_device_write, window) == UC_ERR_OK;
  }

  std::uint64_t read(Register which) const override {
    if (is_float(which)) {
      std::uint64_t value = 0;
      uc_reg_read(uc_, unicorn_register(which), &value);
      return value;
    }
    std::uint32_t value = 0;
    uc_reg_read(uc_, unicorn_register(which), &value);
    return value;
  }
  void write(Register which, std::uint64_t value) override {
    if (is_float(which)) {
      uc_reg_write(uc_, unicorn_register(which), &value);
      return;
    }
    const auto word = static_cast<std::uint32_t>(value);
    uc_reg_write(uc_, unicorn_register(which), &word);
  }

  void read_snapshot(RegisterSnapshot& snapshot) const override {
    constexpr int kCount = kGeneralRegisters + 4;
    static constexpr Register kBehind[] = {kLr, kCtr, kCr, kXer};  // in the order of SnapshotPlace
    std::uint32_t words[kCount] = {};
    int names[kCount];
    void* values[kCount];
    for (int i = 0; i < kCount; ++i) {
      const auto number = static_cast<unsigned>(i);
      names[i] = unicorn_register(number < kGeneralRegisters ? gpr(number) : kBehind[number - kGeneralRegisters]);
      values[i] = &words[i];
    }
    uc_reg_read_batch(uc_, names, values, kCount);
    std::copy(std::begin(words), std::end(words), snapshot.values.begin());
  }
  // XER stays: its carry and overflow bits live elsewhere in Unicorn.
  void write_snapshot(const RegisterSnapshot& snapshot) override {
    for (unsigned i = 0; i < kGeneralRegisters; ++i) UnicornEngine::write(gpr(i), snapshot.values[i]);
    UnicornEngine::write(kLr, snapshot.values[kSnapshotLr]);
    UnicornEngine::write(kCtr, snapshot.values[kSnapshotCtr]);
    UnicornEngine::write(kCr, snapshot.values[kSnapshotCr]);
  }

  GeneralRegisters general_registers() override {
    if (!searched_ && cpu() != nullptr) {
      searched_ = true;
      registers_ = find_general_registers(uc_, cpu());
    }
    return GeneralRegisters(registers_);
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

  void observe_instructions() override { hook(UC_HOOK_CODE, reinterpret_cast<void*>(&on_instruction), 1, 0); }
  void observe() override {
    observe_instructions();
    hook(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, reinterpret_cast<void*>(&on_access), 1, 0);
  }

  std::optional<EngineFault> run(std::uint64_t pc) override {
    fault_.reset();
    stopped_ = false;
    begin();
    // An end address no instruction can have: only stop() and faults end the run.
    const uc_err error = uc_emu_start(uc_, pc, 0xFFFF'FFFF, 0, 0);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (stopped_) return std::nullopt;
    if (fault_) return fault_;
    EngineFault fault;
    fault.kind = error == UC_ERR_INSN_INVALID ? FaultKind::illegal_instruction : FaultKind::other_exception;
    fault.pc = read(kPc);
    fault.exception = error;
    return fault;
  }

  void stop() override {
    stopped_ = true;
    uc_emu_stop(uc_);
  }

 private:
  struct Window {
    UnicornEngine* engine;
    std::uint64_t base;
  };

  struct Memory {
    std::uint64_t size;
    unsigned permissions;
  };

  /// The high half; nullptr if it cannot be found.
  std::uint64_t* vector_register(unsigned number) {
    if (vectors_ == nullptr) vectors_ = find_vector_registers(uc_, cpu());
    return vectors_ == nullptr ? nullptr : vectors_ + std::size_t{number} * kVectorStride;
  }

  bool is_plain_memory(std::uint32_t address) const override {
    auto region = memory_.upper_bound(address);
    if (region == memory_.begin()) return false;
    --region;
    return address - region->first < region->second.size &&
           (region->second.permissions & (kWritable | kExecutable)) == kWritable;
  }

  static void check(uc_err error, const char* what) {
    if (error != UC_ERR_OK)
      throw std::runtime_error(std::string("cannot ") + what + " the instruction-set engine: " + uc_strerror(error));
  }

  void hook(int type, void* callback, std::uint64_t begin, std::uint64_t end) {
    uc_hook handle;
    check(uc_hook_add(uc_, &handle, type, callback, this, begin, end), "hook into");
  }

  /// Makes a callback of the client's. An exception cannot pass through the code that Unicorn has made: it is kept, and
  /// run() throws it.
  template <typename Call>
  void tell(Call&& call) {
    if (thrown_) return;
    try {
      call(client_);
    } catch (...) {
      thrown_ = std::current_exception();
      stop();
    }
  }

  static void on_block(uc_engine*, std::uint64_t address, std::uint32_t size, void* self) {
    static_cast<UnicornEngine*>(self)->tell([=](EngineClient& client) { client.on_block(address, size); });
  }

  static void on_instruction(uc_engine*, std::uint64_t address, std::uint32_t, void* self) {
    static_cast<UnicornEngine*>(self)->tell([=](EngineClient& client) { client.on_instruction(address); });
  }

  static void on_access(uc_engine*, uc_mem_type type, std::uint64_t address, int size, std::int64_t, void* self) {
    static_cast<UnicornEngine*>(self)->tell(
        [=](EngineClient& client) { client.on_access(address, static_cast<unsigned>(size), type == UC_MEM_WRITE); });
  }

  static std::uint64_t on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* data) {
    const auto* window = static_cast<Window*>(data);
    std::uint64_t value = 0;
    window->engine->tell([&](EngineClient& client) { value = client.on_device_read(window->base + offset, size); });
    return value;
  }

  static void on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* data) {
    const auto* window = static_cast<Window*>(data);
    window->engine->tell([=](EngineClient& client) { client.on_device_write(window->base + offset, size, value); });
  }

  static void on_interrupt(uc_engine* uc, std::uint32_t number, void* data) {
    auto* self = static_cast<UnicornEngine*>(data);
    if (number == kSystemCallException) {
      self->tell([](EngineClient& client) { client.on_system_call(); });
      return;
    }
    // A data fault also arrives here behind its own report: the first one tells the cause.
    if (!self->fault_) {
      EngineFault fault;
      fault.pc = self->read(kPc) - 4;  // Unicorn's PC is behind the instruction
      fault.exception = number;
      if (number == kIllegalInstruction) {
        fault.kind = FaultKind::illegal_instruction;
      } else if (number == kProgramException) {
        std::uint8_t bytes[4] = {};
        uc_mem_read(uc, fault.pc, bytes, sizeof bytes);
        fault.kind = is_trap(load_be32(bytes)) ? FaultKind::trap : FaultKind::privileged_instruction;
      }
      self->fault_ = fault;
    }
    uc_emu_stop(uc);
  }

  static bool on_bad_access(uc_engine*, uc_mem_type type, std::uint64_t address, int, std::int64_t, void* data) {
    auto* self = static_cast<UnicornEngine*>(data);
    if (self->fault_) return false;
    EngineFault fault;
    fault.address = address;
    fault.pc = self->read(kPc);
    switch (type) {
      case UC_MEM_READ_UNMAPPED:
        fault.kind = FaultKind::read_unmapped;
        break;
      case UC_MEM_WRITE_UNMAPPED:
        fault.kind = FaultKind::write_unmapped;
        break;
      case UC_MEM_FETCH_UNMAPPED:
        fault.kind = FaultKind::fetch_unmapped;
        fault.pc = fault.address;
        break;
      case UC_MEM_READ_PROT:
        fault.kind = FaultKind::read_protected;
        break;
      case UC_MEM_WRITE_PROT:
        fault.kind = FaultKind::write_protected;
        break;
      case UC_MEM_FETCH_PROT:
        fault.kind = FaultKind::fetch_protected;
        fault.pc = fault.address;
        break;
      default:
        break;
    }
    self->fault_ = fault;
    return false;
  }

  EngineClient& client_;
  uc_engine* uc_ = nullptr;
  std::map<std::uint64_t, Memory> memory_;  // by first address
  std::vector<std::unique_ptr<Window>> windows_;
  std::optional<EngineFault> fault_;
  const std::uint32_t* registers_ = nullptr;
  std::uint64_t* vectors_ = nullptr;
  bool searched_ = false;  ///< for registers_
  bool stopped_ = false;
  std::exception_ptr thrown_;  ///< by the client, in a callback
};

}  // namespace

std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client) {
  return std::make_unique<UnicornEngine>(client);
}

}  // namespace toroid::ppc32
