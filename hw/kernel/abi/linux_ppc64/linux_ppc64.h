// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/abi/abi.h"

namespace toroid {

/// Linux on 64-bit big-endian PowerPC, with the project's own calls (hw/kernel/kernel_abi.h). The compute-node kernel
/// of a machine with such cores has the same numbers.
const Abi& linux_ppc64();

}  // namespace toroid
