// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/isa/block_decoder.h"
#include "hw/isa/power/instruction.h"
#include "hw/isa/power/pipeline.h"

namespace toroid::power {

/// Blocks of a PowerPC program: opcode table, pipelines and address plans put together.
class Decoder final : public BlockDecoder {
 public:
  Decoder(Pipeline pipeline, Width width, std::vector<CodeSpan> code);

  void decode(Block& block) override;
  std::uint32_t cycles_behind(const Block& previous, const Block& block) const override;
  std::optional<UpcomingAccess> upcoming_access(std::uint64_t pc, const Engine& engine) const override;
  std::string encoding_at(std::uint64_t pc) const override;
  bool makes_frame(std::uint64_t pc) const override;

  /// The instruction word at `address`, or 0 outside the code.
  std::uint32_t word_at(std::uint64_t address) const;

 private:
  std::vector<Instruction> instructions_of(const Block& block) const;
  std::vector<PipelineInstruction> analyse(const std::vector<Instruction>& instructions) const;

  Pipeline pipeline_;
  const Width width_;
  std::vector<CodeSpan> code_;
  std::vector<PipelineState> exits_;  ///< what each block owes, by its number
};

}  // namespace toroid::power
