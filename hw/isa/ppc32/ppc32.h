// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/isa.h"
#include "hw/isa/power/pipeline.h"

namespace toroid::ppc32 {

using power::PipelineConfig;

/// 32-bit big-endian PowerPC on the pipelines of the 440; without `pipeline`, of one cycle an instruction.
/// `keeps_user_register`: the kernel reads what programs write to USPRG0, so it keeps it (CoreIdentity). Otherwise that
/// is the engine's, as VRSAVE, which the C library saves and restores.
std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline, bool keeps_user_register = false);

}  // namespace toroid::ppc32
