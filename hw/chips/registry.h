// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// The machine called `name`, as described. Throws ConfigurationError if there is none of this name, or for what the
/// machine says of its description.
std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const MachineDescription& description);
/// Shows all parameters in descriptions of the machine called `name`. Throws ConfigurationError if there is none.
void visit_machine_parameters(const std::string& name, ParameterVisitor& visitor);

}  // namespace toroid
