// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/abi/abi.h"

namespace toroid {

/// Linux on x86-64, with the project's own calls (hw/kernel/kernel_abi.h).
const Abi& linux_x86_64();

}  // namespace toroid
