// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "hw/isa/isa.h"
#include "hw/isa/power/pipeline.h"
#include "hw/isa/power/registers.h"
#include "hw/isa/power/width.h"

namespace toroid::power {

/// What the two PowerPC instruction sets have in common: engines, decoding, special registers, and the System V ABI as
/// far as it is the same.
class PowerIsa : public Isa {
 public:
  ByteOrder byte_order() const override { return ByteOrder::big; }
  unsigned word_bytes() const override { return power::word_bytes(width_); }
  unsigned code_alignment() const override { return kInstructionBytes; }
  const RegisterSet& registers() const override { return power::registers(width_); }
  const RegisterRoles& roles() const override { return roles_; }
  Register general_register(unsigned number) const override { return gpr(number); }

  std::unique_ptr<Engine> make_engine(EngineClient& client, Observation observation) const override;

  std::vector<ReplacedInstruction> replace_instructions(
      std::uint8_t* code, std::uint64_t address, std::uint64_t size,
      const std::function<bool(std::uint64_t)>& is_code) const override;
  void emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
               CoreIdentity& identity) const override;

  unsigned system_call_bytes() const override { return kInstructionBytes; }
  SystemCallRequest system_call(const Engine& engine) const override;
  void return_from_system_call(Engine& engine, std::int64_t result) const override;
  void reset_control(Engine& engine) const override { engine.write(kFpscr, 0); }
  std::uint64_t enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                               std::initializer_list<std::uint64_t> arguments) const override;
  std::uint64_t return_address(const Engine& engine, const MemoryView&) const override { return engine.read(kLr); }
  void set_return_address(Engine& engine, MemoryView&, std::uint64_t address) const override {
    engine.write(kLr, address);
  }
  unsigned red_zone_bytes() const override { return width_ == Width::narrow ? 0 : 288; }
  std::vector<std::uint64_t> callers(const Engine& engine, const ReadableMemory& memory, unsigned most) const override;

 protected:
  static constexpr unsigned kInstructionBytes = 4;
  static constexpr unsigned kStackPointer = 1;
  /// Of a frame, for the functions called (System V ABI): the back chain and the link register; on 64 bits also the
  /// condition register, the table of contents and two words for tools.
  static constexpr unsigned linkage_bytes(Width width) { return width == Width::narrow ? 8 : 48; }

  /// `keeps_user_register`: the kernel reads what programs write to USPRG0, so it keeps it (CoreIdentity). Otherwise
  /// that is the engine's, as VRSAVE, which the C library saves and restores.
  PowerIsa(Width width, const PipelineConfig& config, Dispatch dispatch, bool pipeline, bool keeps_user_register)
      : Isa(pipeline), width_(width), pipeline_(config, dispatch), keeps_user_register_(keeps_user_register) {}

 private:
  std::unique_ptr<BlockDecoder> make_pipeline_decoder(std::vector<CodeSpan> code) const override;

  const Width width_;
  const Pipeline pipeline_;
  const bool keeps_user_register_;
  const RegisterRoles roles_{kPc, gpr(kStackPointer),   kStackPointer, {3, 4, 5, 6, 7, 8, 9, 10},
                             3,   linkage_bytes(width_)};
};

}  // namespace toroid::power
