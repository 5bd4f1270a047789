// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/isa/isa.h"
#include "hw/isa/ppc64/pipeline.h"

namespace toroid::ppc64 {

/// 64-bit big-endian PowerPC on the pipelines of the A2, as one of its threads has them; without `pipeline`, of one
/// cycle an instruction. Programs follow version 1 of the 64-bit PowerPC ELF ABI.
std::shared_ptr<const Isa> make_isa(const PipelineConfig& config, bool pipeline);

}  // namespace toroid::ppc64
