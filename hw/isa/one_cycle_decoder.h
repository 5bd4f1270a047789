// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/block_decoder.h"

namespace toroid {

/// Leaves out the pipelines: each instruction takes one cycle, whatever the one before it, and a load that misses the
/// first level is waited for at the block's end, as one from a device is. All else is the decoder's that it is given.
class OneCycleDecoder final : public BlockDecoder {
 public:
  explicit OneCycleDecoder(std::unique_ptr<BlockDecoder> decoder);

  void decode(Block& block) override;
  std::uint32_t cycles_behind(const Block& previous, const Block& block) const override;
  std::optional<UpcomingAccess> upcoming_access(std::uint64_t pc, const Engine& engine) const override;
  std::string encoding_at(std::uint64_t pc) const override;
  bool makes_frame(std::uint64_t pc) const override;

 private:
  const std::unique_ptr<BlockDecoder> decoder_;
};

}  // namespace toroid
