// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc64/pipeline.h"

namespace toroid::ppc64 {

void PipelineConfig::visit_parameters(ParameterVisitor& visitor) {
  power::PipelineConfig::visit_parameters(visitor);
  const auto cycles = [&visitor](unsigned& field, const char* name, const char* meaning) {
    visitor.count(field, name, "cycles", {0, 200}, meaning);
  };
  cycles(multiply_double_latency, "core.multiply_double_latency", "of two doublewords");
  cycles(multiply_double_cycles, "core.multiply_double_cycles",
         "that a multiplication of doublewords occupies its pipe");
  cycles(divide_double_cycles, "core.divide_double_cycles", "that a division of doublewords occupies its pipe");
}

}  // namespace toroid::ppc64
