// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/registry.h"

#include "hw/chips/bgl/bgl_model.h"

namespace toroid {
namespace {

/// All machines: one line each.
constexpr struct {
  const char* name;
  std::unique_ptr<MachineModel> (*make)(const MachineDescription&);
  void (*visit_parameters)(ParameterVisitor&);
} kMachines[] = {
    {"bgl", make_bgl_model, visit_bgl_parameters},
};

const auto& machine_called(const std::string& name) {
  std::string known;
  for (const auto& machine : kMachines) {
    if (name == machine.name) return machine;
    known += (known.empty() ? "" : ", ") + std::string(machine.name);
  }
  throw ConfigurationError("machine \"" + name + "\" is unknown; the machines are " + known);
}

}  // namespace

std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const MachineDescription& description) {
  return machine_called(name).make(description);
}

void visit_machine_parameters(const std::string& name, ParameterVisitor& visitor) {
  machine_called(name).visit_parameters(visitor);
}

}  // namespace toroid
