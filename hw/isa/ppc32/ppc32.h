// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/isa.h"
#include "hw/isa/ppc32/pipeline.h"

namespace toroid::ppc32 {

/// 32-bit big-endian PowerPC on the pipelines of the 440; without `pipeline`, of one cycle an instruction.
std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline);

}  // namespace toroid::ppc32
