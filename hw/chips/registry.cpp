// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/registry.h"

namespace toroid {
namespace {

const MachineKind& kind_called(const std::string& name) {
  std::string known;
  for (const MachineKind& kind : machine_kinds()) {
    if (name == kind.name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw ConfigurationError("machine \"" + name + "\" is unknown; the machines are " + known);
}

}  // namespace

std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const MachineDescription& description) {
  return kind_called(name).make(description);
}

void visit_machine_parameters(const std::string& name, ParameterVisitor& visitor) {
  kind_called(name).visit_parameters(visitor);
}

}  // namespace toroid
