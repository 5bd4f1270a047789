// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/abi/abi.h"

namespace toroid {

/// Linux's calls whose numbers and arguments are the same on 32-bit and on 64-bit PowerPC.
CallTable linux_power_calls();

/// What lies on the stack where a handler begins, with words of 4 or of 8 bytes.
SignalFrame linux_power_signal_frame(unsigned word_bytes);

}  // namespace toroid
