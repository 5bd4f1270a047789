// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/abi/abi.h"

namespace toroid {

/// What lies on the stack where a handler begins. Its return address stands below it.
SignalFrame linux_x86_64_signal_frame();

}  // namespace toroid
