// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/bgq_model.h"

namespace toroid {
namespace {

[[noreturn]] void refuse_programs() {
  throw ConfigurationError(
      "machine \"bgq\" has no cores, so no programs run on it; synthetic traffic does (./toroid traffic --machine "
      "bgq)");
}

}  // namespace

void BgqModel::check_programs(const Shape&) const {
  refuse_programs();
}

const CoreConfig& BgqModel::core() const {
  refuse_programs();
}

void BgqModel::set_up(KernelConfig&) const {
  refuse_programs();
}

std::unique_ptr<Hardware> BgqModel::build(const BuildRequest&, JobDirectory&, OutputSink&) const {
  refuse_programs();
}

std::unique_ptr<MachineModel> make_bgq_model(const MachineDescription& description) {
  return std::make_unique<BgqModel>(describe_bgq(description.parameters), description.modes);
}

void visit_bgq_parameters(ParameterVisitor& visitor) {
  BgqConfig{}.visit_parameters(visitor);
}

}  // namespace toroid
