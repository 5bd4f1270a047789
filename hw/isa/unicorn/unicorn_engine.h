// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "hw/isa/engine.h"
#include "hw/isa/unicorn/processor.h"

namespace toroid::unicorn {

/// An engine made of the Unicorn library: all but what depends on the instruction set.
class UnicornEngine : public Engine {
 public:
  bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                  ImagePart image) final {
    return processor_->map_memory(address, size, host, permissions, image);
  }
  bool unmap_memory(std::uint64_t address, std::uint64_t size) final { return processor_->unmap_memory(address, size); }
  bool map_device(std::uint64_t address, std::uint64_t size) final { return processor_->map_device(address, size); }
  std::optional<EngineFault> run(std::uint64_t pc) final;
  void stop() final;

  // For the processors.

  /// The library calls `*running` from now on, but for basic blocks; `running` must outlive it.
  static void add_hooks(uc_engine* uc, UnicornEngine* const* running, Observation observation);
  /// Also for basic blocks.
  static void add_block_hook(uc_engine* uc, UnicornEngine* const* running);
  /// The same, of basic blocks: what a new translation begins with, and that its code calls.
  EngineClient& client() { return client_; }
  void on_block(const Block& block) {
    tell([&block](EngineClient& client) { client.on_block(block); });
  }
  /// An access cannot be done. The first fault counts: others may come of it.
  void on_bad_access(FaultKind kind, std::uint64_t address);
  std::uint64_t on_device_read(std::uint64_t address, unsigned size);
  void on_device_write(std::uint64_t address, unsigned size, std::uint64_t value);

 protected:
  UnicornEngine(EngineClient& client, const Architecture& architecture, Observation observation);

  Processor& processor() const { return *processor_; }
  /// The library, working on this engine's processor.
  uc_engine* uc() const {
    processor_->select();
    return processor_->uc();
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
    processor_->select();
  }

  // Of the instruction set.

  /// Unicorn's program counter.
  virtual std::uint64_t pc() const = 0;
  /// The processor has raised exception `number` of Unicorn's: a system call, or a fault, which is returned.
  virtual std::optional<EngineFault> on_exception(std::uint32_t number) = 0;
  /// Where no instruction is executed: uc_emu_start() takes it for the end.
  virtual std::uint64_t no_address() const = 0;

 private:
  static void on_block_hook(uc_engine*, std::uint64_t address, std::uint32_t size, void* running);
  static void on_instruction_hook(uc_engine*, std::uint64_t address, std::uint32_t, void* running);
  static void on_access_hook(uc_engine*, uc_mem_type type, std::uint64_t address, int size, std::int64_t,
                             void* running);
  static void on_interrupt_hook(uc_engine* uc, std::uint32_t number, void* running);
  static bool on_bad_access_hook(uc_engine*, uc_mem_type type, std::uint64_t address, int, std::int64_t, void* running);

  EngineClient& client_;
  std::unique_ptr<Processor> processor_;
  std::optional<EngineFault> fault_;
  bool stopped_ = false;
  std::exception_ptr thrown_;  ///< by the client, in a callback
};

}  // namespace toroid::unicorn
