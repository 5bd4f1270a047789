// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/registry.h"

#include "hw/chips/bgl/bgl_model.h"

namespace toroid {
namespace {

/// All machines: one line each.
constexpr struct {
  const char* name;
  std::unique_ptr<MachineModel> (*make)(const MachineDescription&);
} kMachines[] = {
    {"bgl", make_bgl_model},
};

}  // namespace

std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const MachineDescription& description) {
  std::string known;
  for (const auto& machine : kMachines) {
    if (name == machine.name) return machine.make(description);
    known += (known.empty() ? "" : ", ") + std::string(machine.name);
  }
  throw ConfigurationError("machine \"" + name + "\" is unknown; the machines are " + known);
}

}  // namespace toroid
