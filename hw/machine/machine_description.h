// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/machine/parameters.h"
#include "hw/machine/process_mode.h"

namespace toroid {

/// What a description file says of a machine beyond its shape.
struct MachineDescription {
  Parameters parameters;
  std::vector<ProcessMode> modes;  ///< the first is the usual one
};

}  // namespace toroid
