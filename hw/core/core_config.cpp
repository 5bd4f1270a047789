// SPDX-License-Identifier: Apache-2.0
#include "hw/core/core_config.h"

namespace toroid {

void DeviceCost::visit_parameters(ParameterVisitor& visitor, const char* read_name, const char* write_name) {
  visitor.count(read_latency, read_name, "cycles", {0, 1'000'000}, "of a load from the device, from issue to return");
  visitor.count(write, write_name, "cycles", {0, 1'000'000}, "that a store to the device, of any size, takes the core");
}

void CoreConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(clock_mhz, "core.clock", "MHz", {1, 100'000}, "clock of the cores");
  visitor.count(quantum, "core.quantum", "cycles", {1, 1e9},
                "how far a core may run ahead of the network between device accesses; does not change results");
  visitor.flag(pipeline, "core.pipeline",
               "whether instructions take the time of the core's pipelines; otherwise each takes one cycle");
  visitor.count(processor_version, "core.processor_version", "count", {0, 0xFFFF'FFFF},
                "what a program reads as the version of its processor");
  memory.visit_parameters(visitor);
  visitor.count(outstanding_reads, "device.outstanding_reads", "count", {1, kMaxOutstandingReads},
                "loads from devices in flight");
}

std::vector<std::string> CoreConfig::not_modelled() const {
  std::vector<std::string> left_out;
  if (!memory.modelled) left_out.emplace_back("cache misses");
  if (!pipeline) left_out.emplace_back("pipelines of the cores");
  return left_out;
}

}  // namespace toroid
