// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw/machine/ending.h"
#include "hw/machine/hardware.h"
#include "hw/machine/job.h"

namespace toroid {

// Who waits for what, in a run that goes no further.

/// No core does anything but wait or poll.
bool everyone_waits(const Hardware& hardware);

/// Where a rank's process stands, core by core, and what it waits for; one line.
std::string whereabouts(const Job& job, std::uint32_t rank);

/// That of the first rank that has not ended, and how many more there are.
std::string waiting_ranks(const Job& job);

/// What the networks and the devices of the nodes hold, and what the cores poll, several lines; empty if nothing is
/// known.
std::string stuck_text(const Hardware& hardware, Ending ending);

}  // namespace toroid
