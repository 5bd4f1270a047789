// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/machine/ending.h"

namespace toroid {

class BglHardware;

// What holds up a run on a Blue Gene/L: see Hardware.

std::string bgl_unmoved_text(const BglHardware& machine);
std::string bgl_held_up_text(const BglHardware& machine, Ending ending);

}  // namespace toroid
