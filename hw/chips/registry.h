// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "hw/machine/machine_model.h"
#include "hw/machine/parameters.h"

namespace toroid {

/// The machine called `name`, with the numbers of a description. Throws ConfigurationError if there is none of this
/// name, or for what the machine says of the numbers.
std::unique_ptr<MachineModel> make_machine_model(const std::string& name, const Parameters& parameters);

}  // namespace toroid
