// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/isa/block_decoder.h"
#include "hw/isa/x86_64/instruction.h"
#include "hw/isa/x86_64/pipeline.h"

namespace toroid::x86_64 {

/// Blocks of an x86-64 program.
class Decoder final : public BlockDecoder {
 public:
  Decoder(const PipelineConfig& config, std::vector<CodeSpan> code) : pipeline_(config), code_(std::move(code)) {}

  void decode(Block& block) override;
  std::uint32_t cycles_behind(const Block&, const Block& block) const override { return block.cycles; }
  std::optional<UpcomingAccess> upcoming_access(std::uint64_t pc, const Engine& engine) const override;
  std::string encoding_at(std::uint64_t pc) const override;
  bool makes_frame(std::uint64_t pc) const override;

 private:
  /// The code from `pc` on, `size` bytes; nullptr if there is none.
  const std::uint8_t* code_at(std::uint64_t pc, std::uint64_t& size) const;
  /// False if there is no instruction at `pc`.
  bool instruction_at(std::uint64_t pc, Instruction& instruction) const;
  /// Those that begin in the block.
  std::vector<Instruction> instructions_of(const Block& block) const;
  void delay_chains(Block& block) const;

  Pipeline pipeline_;
  std::vector<CodeSpan> code_;
};

}  // namespace toroid::x86_64
