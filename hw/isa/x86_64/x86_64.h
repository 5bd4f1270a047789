// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/isa.h"
#include "hw/isa/x86_64/pipeline.h"

namespace toroid::x86_64 {

/// x86-64 as AMD's family 10h has it, on its throughput model; without `pipeline`, of one cycle an instruction.
std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline);

}  // namespace toroid::x86_64
