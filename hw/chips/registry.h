// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// A kind of machine that the simulator knows, and the two functions that its library brings.
struct MachineKind {
  const char* name;
  std::unique_ptr<MachineModel> (*make)(const MachineDescription&);
  void (*visit_parameters)(ParameterVisitor&);
};

/// All of them; the build makes this table from the folders (CMakeLists.txt).
const std::vector<MachineKind>& machine_kinds();

/// The machine called `name`, as described. Throws ConfigurationError if there is none of this name, or for what the
/// machine says of its description.
std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const MachineDescription& description);
/// Shows all parameters in descriptions of the machine called `name`. Throws ConfigurationError if there is none.
void visit_machine_parameters(const std::string& name, ParameterVisitor& visitor);

}  // namespace toroid
