// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/isa/register_set.h"

namespace toroid {

/// target.xml: an instruction set's registers, as gdb reads them.
std::string target_description(const RegisterSet& registers);

}  // namespace toroid
