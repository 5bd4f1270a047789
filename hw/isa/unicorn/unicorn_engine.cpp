// SPDX-License-Identifier: Apache-2.0
//
// Unicorn is under the GPL-2.0, so this shared library together with Unicorn is as well. Everything else knows
// hw/isa/engine.h alone.
#include "hw/isa/unicorn/unicorn_engine.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace toroid::unicorn {
namespace {

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

UnicornEngine& engine_of(void* running) {
  return **static_cast<UnicornEngine* const*>(running);
}

void add_hook(uc_engine* uc, int type, void* callback, UnicornEngine* const* running) {
  uc_hook handle;
  // The library passes it on to the callbacks, which do not change it.
  void* const data = const_cast<UnicornEngine**>(running);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  check(uc_hook_add(uc, &handle, type, callback, data, 1, 0), "hook into");
}

/// Whether each engine is to have an instance of its own, for tests that compare both ways.
bool wants_own_instance() {
  const char* const chosen = std::getenv("TOROID_ENGINES");  // NOLINT(concurrency-mt-unsafe)
  if (chosen == nullptr || std::string(chosen) == "shared") return false;
  if (std::string(chosen) == "own") return true;
  throw std::runtime_error("TOROID_ENGINES is '" + std::string(chosen) + "'; it must be shared or own");
}

#ifdef TOROID_UNICORN_FROM_SOURCE
/// Bytes of the code buffer, for tests that fill it; 0: the library's own choice.
std::uint32_t wanted_code_buffer() {
  const char* const megabytes = std::getenv("TOROID_CODE_BUFFER");  // NOLINT(concurrency-mt-unsafe)
  if (megabytes == nullptr) return 0;
  char* end = nullptr;
  const unsigned long long size = std::strtoull(megabytes, &end, 10);
  if (size == 0 || size > 2048 || *end != '\0')
    throw std::runtime_error("TOROID_CODE_BUFFER is '" + std::string(megabytes) + "'; it must be 1 to 2048 (MiB)");
  return static_cast<std::uint32_t>(size << 20);
}
#endif

std::unique_ptr<Processor> make_processor(const Architecture& architecture, UnicornEngine& engine,
                                          Observation observation) {
  // Hooks are made into translations: an engine that observes shares none.
  if (observation == Observation::none && !wants_own_instance()) {
    if (auto shared = make_shared_processor(architecture, engine)) return shared;
  }
  return make_own_processor(architecture, engine, observation);
}

FaultKind kind_of(uc_mem_type type) {
  switch (type) {
    case UC_MEM_READ_UNMAPPED:
      return FaultKind::read_unmapped;
    case UC_MEM_WRITE_UNMAPPED:
      return FaultKind::write_unmapped;
    case UC_MEM_FETCH_UNMAPPED:
      return FaultKind::fetch_unmapped;
    case UC_MEM_READ_PROT:
      return FaultKind::read_protected;
    case UC_MEM_WRITE_PROT:
      return FaultKind::write_protected;
    case UC_MEM_FETCH_PROT:
      return FaultKind::fetch_protected;
    default:
      return FaultKind::other_exception;
  }
}

}  // namespace

void check(uc_err error, const char* what) {
  if (error != UC_ERR_OK)
    throw std::runtime_error(std::string("cannot ") + what + " the instruction-set engine: " + uc_strerror(error));
}

uc_engine* Architecture::open() const {
  require_address_space();
  uc_engine* uc = nullptr;
  check(uc_open(arch, mode, &uc), "open");
#ifdef TOROID_UNICORN_FROM_SOURCE
  if (const std::uint32_t bytes = wanted_code_buffer(); bytes != 0)
    check(uc_ctl_set_tcg_buffer_size(uc, bytes), "choose the code buffer of");
#endif
  check(uc_ctl_set_cpu_model(uc, model), "select the processor model of");
  prepare(uc);
  return uc;
}

UnicornEngine::UnicornEngine(EngineClient& client, const Architecture& architecture, Observation observation)
    : client_(client), processor_(make_processor(architecture, *this, observation)) {}

void UnicornEngine::add_hooks(uc_engine* uc, UnicornEngine* const* running, Observation observation) {
  add_hook(uc, UC_HOOK_INTR, reinterpret_cast<void*>(&on_interrupt_hook), running);
  add_hook(uc, UC_HOOK_MEM_INVALID, reinterpret_cast<void*>(&on_bad_access_hook), running);
  if (observation != Observation::none)
    add_hook(uc, UC_HOOK_CODE, reinterpret_cast<void*>(&on_instruction_hook), running);
  if (observation == Observation::accesses)
    add_hook(uc, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, reinterpret_cast<void*>(&on_access_hook), running);
}

void UnicornEngine::add_block_hook(uc_engine* uc, UnicornEngine* const* running) {
  add_hook(uc, UC_HOOK_BLOCK, reinterpret_cast<void*>(&on_block_hook), running);
}

std::optional<EngineFault> UnicornEngine::run(std::uint64_t pc) {
  fault_.reset();
  stopped_ = false;
  processor_->begin(client_.program());
  // Only stop() and faults end the run.
  const uc_err error = uc_emu_start(uc(), pc, processor_->end(no_address()), 0, 0);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (stopped_) return std::nullopt;
  if (fault_) return fault_;
  if (error == UC_ERR_NOMEM) {
    throw std::runtime_error(
        "the instruction-set engine has no room for further translations: suspended cores return into all parts of its "
        "code buffer; with TOROID_ENGINES=own in the environment, each core has an engine of its own");
  }
  EngineFault fault;
  fault.kind = error == UC_ERR_INSN_INVALID ? FaultKind::illegal_instruction : FaultKind::other_exception;
  fault.pc = this->pc();
  fault.exception = error;
  return fault;
}

void UnicornEngine::stop() {
  stopped_ = true;
  uc_emu_stop(uc());
}

void UnicornEngine::on_bad_access(FaultKind kind, std::uint64_t address) {
  if (fault_) return;
  EngineFault fault;
  fault.kind = processor_->kind_of_miss(kind, address);
  fault.address = address;
  fault.pc = is_fetch(kind) ? address : pc();
  fault_ = fault;
}

std::uint64_t UnicornEngine::on_device_read(std::uint64_t address, unsigned size) {
  std::uint64_t value = 0;
  tell([&](EngineClient& client) { value = client.on_device_read(address, size); });
  return value;
}

void UnicornEngine::on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) {
  tell([=](EngineClient& client) { client.on_device_write(address, size, value); });
}

void UnicornEngine::on_block_hook(uc_engine*, std::uint64_t address, std::uint32_t size, void* running) {
  engine_of(running).tell([=](EngineClient& client) { client.on_block(client.block_at(address, size)); });
}

void UnicornEngine::on_instruction_hook(uc_engine*, std::uint64_t address, std::uint32_t, void* running) {
  engine_of(running).tell([=](EngineClient& client) { client.on_instruction(address); });
}

void UnicornEngine::on_access_hook(uc_engine*, uc_mem_type type, std::uint64_t address, int size, std::int64_t,
                                   void* running) {
  engine_of(running).tell(
      [=](EngineClient& client) { client.on_access(address, static_cast<unsigned>(size), type == UC_MEM_WRITE); });
}

void UnicornEngine::on_interrupt_hook(uc_engine* uc, std::uint32_t number, void* running) {
  UnicornEngine& self = engine_of(running);
  const std::optional<EngineFault> fault = self.on_exception(number);
  if (!fault) return;
  // A data fault also arrives here behind its own report: the first one tells the cause.
  if (!self.fault_) self.fault_ = fault;
  uc_emu_stop(uc);
}

bool UnicornEngine::on_bad_access_hook(uc_engine*, uc_mem_type type, std::uint64_t address, int, std::int64_t,
                                       void* running) {
  engine_of(running).on_bad_access(kind_of(type), address);
  return false;
}

}  // namespace toroid::unicorn
