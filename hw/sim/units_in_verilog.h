// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/machine/machine_model.h"
#include "hw/sim/configuration.h"

namespace toroid {

/// Throws ConfigurationError if units in Verilog are asked for and the machine has none.
inline void check_units(const Configuration& configuration, const MachineModel& model) {
  if (!configuration.rtl || model.has_units_in_verilog()) return;
  throw ConfigurationError("--rtl " + configuration.rtl->units.front() + ": machine \"" + model.name() +
                           "\" has no units in Verilog");
}

}  // namespace toroid
