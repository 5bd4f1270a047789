// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/barrier/global_interrupts.h"

namespace toroid {

/// Cycles of a barrier of all compute nodes of a machine over the global interrupts alone: from the cycle in which all
/// fire to the one in which the last node sees it complete. Measured by simulation.
Cycle measure_barrier(const GlobalInterruptConfig& config, const TreeTopology& tree);

}  // namespace toroid
