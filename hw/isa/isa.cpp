// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/isa.h"

#include <utility>

#include "hw/isa/one_cycle_decoder.h"

namespace toroid {

std::unique_ptr<BlockDecoder> Isa::make_decoder(std::vector<CodeSpan> code) const {
  std::unique_ptr<BlockDecoder> decoder = make_pipeline_decoder(std::move(code));
  if (pipeline_) return decoder;
  return std::make_unique<OneCycleDecoder>(std::move(decoder));
}

}  // namespace toroid
