// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/isa/isa.h"

namespace toroid {

/// An instruction set of any word size and byte order that executes nothing: for code that asks for its conventions.
class ToyIsa final : public Isa {
 public:
  ToyIsa(unsigned word_bytes, ByteOrder order) : Isa(true), word_bytes_(word_bytes), order_(order) {}

  const char* name() const override { return "toy"; }
  const char* description() const override { return description_.c_str(); }
  ByteOrder byte_order() const override { return order_; }
  unsigned word_bytes() const override { return word_bytes_; }
  unsigned code_alignment() const override { return 1; }
  std::uint16_t elf_machine() const override { return EM_NONE; }
  const RegisterSet& registers() const override { return registers_; }
  const RegisterRoles& roles() const override { return roles_; }
  Register general_register(unsigned number) const override { return static_cast<Register>(number); }

  std::unique_ptr<Engine> make_engine(EngineClient&, Observation) const override { none(); }
  std::vector<ReplacedInstruction> replace_instructions(std::uint8_t*, std::uint64_t, std::uint64_t,
                                                        const std::function<bool(std::uint64_t)>&) const override {
    return {};
  }
  void emulate(const ReplacedInstruction&, Engine&, std::uint64_t, CoreIdentity&) const override { none(); }
  unsigned system_call_bytes() const override { return 2; }
  SystemCallRequest system_call(const Engine&) const override { none(); }
  void return_from_system_call(Engine&, std::int64_t) const override { none(); }
  std::uint64_t enter_program(Engine&, const MemoryView&, std::uint64_t entry, std::uint64_t) const override {
    return entry;
  }
  std::uint64_t enter_function(Engine&, MemoryView&, std::uint64_t, std::uint64_t,
                               std::initializer_list<std::uint64_t>) const override {
    none();
  }
  ThreadRegisters thread_registers(const Engine&) const override { none(); }
  void set_thread_registers(Engine&, const ThreadRegisters&) const override { none(); }
  std::uint64_t hardware_capabilities() const override { return 0x8765'4321; }
  const char* platform() const override { return "toy440"; }
  unsigned data_line_bytes() const override { return 16; }
  std::uint64_t return_address(const Engine&, const MemoryView&) const override { none(); }
  void set_return_address(Engine&, MemoryView&, std::uint64_t) const override { none(); }
  unsigned red_zone_bytes() const override { return 0; }
  std::vector<std::uint64_t> callers(const Engine&, const ReadableMemory&, unsigned) const override { return {}; }

 private:
  std::unique_ptr<BlockDecoder> make_pipeline_decoder(std::vector<CodeSpan>) const override { none(); }
  [[noreturn]] static void none() { throw std::logic_error("the toy instruction set executes nothing"); }

  const unsigned word_bytes_;
  const ByteOrder order_;
  const std::string description_ = std::to_string(8 * word_bytes_) + "-bit " + name_of(order_) + " toy";
  const RegisterSet registers_{"toy", {}, {}};
  const RegisterRoles roles_{Register{0}, Register{1}, 1, {}, 0};
};

}  // namespace toroid
