// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/machine/ending.h"
#include "hw/machine/job.h"
#include "hw/machine/report.h"

namespace toroid {

class BglHardware;

/// The sections coherence, network, tree and io_nodes of the result (docs/reference/simulator_files.md).
MachineReport bgl_report(const BglHardware& machine, const Job& job, Ending ending);

}  // namespace toroid
