// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/machine/ending.h"
#include "hw/machine/report.h"

namespace toroid {

class BgpHardware;

/// The sections coherence, network, dma, tree and io_nodes of the result (docs/reference/simulator_files.md).
MachineReport bgp_report(const BgpHardware& machine, Ending ending);

}  // namespace toroid
