// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/one_cycle_decoder.h"

#include <algorithm>
#include <utility>

namespace toroid {

namespace {

std::uint16_t offset_of(std::uint32_t cycles) {
  return static_cast<std::uint16_t>(std::min(0xFFFFu, cycles));
}

}  // namespace

OneCycleDecoder::OneCycleDecoder(std::unique_ptr<BlockDecoder> decoder) : decoder_(std::move(decoder)) {}

void OneCycleDecoder::decode(Block& block) {
  decoder_->decode(block);
  block.cycles = std::max(1u, block.instructions);
  block.settled = true;
  for (PlannedAccess& access : block.plan.accesses()) {
    access.issue = access.instruction;
    access.use = offset_of(block.cycles);
  }
}

std::uint32_t OneCycleDecoder::cycles_behind(const Block&, const Block& block) const {
  return block.cycles;
}

std::optional<UpcomingAccess> OneCycleDecoder::upcoming_access(std::uint64_t pc, const Engine& engine) const {
  return decoder_->upcoming_access(pc, engine);
}

std::string OneCycleDecoder::encoding_at(std::uint64_t pc) const {
  return decoder_->encoding_at(pc);
}

bool OneCycleDecoder::makes_frame(std::uint64_t pc) const {
  return decoder_->makes_frame(pc);
}

}  // namespace toroid
