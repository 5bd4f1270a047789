// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/isa/power/pipeline.h"

namespace toroid::ppc64 {

/// Latencies and penalties of the A2, as one thread meets them: those of all PowerPCs, and of doublewords.
struct PipelineConfig : power::PipelineConfig {
  void visit_parameters(ParameterVisitor& visitor);
};

}  // namespace toroid::ppc64
