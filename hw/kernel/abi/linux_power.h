// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/system_call.h"

namespace toroid {

/// Linux's calls whose numbers and arguments are the same on 32-bit and on 64-bit PowerPC.
CallTable linux_power_calls();

}  // namespace toroid
