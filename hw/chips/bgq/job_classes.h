// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/collective/class_route.h"
#include "torus/collective/global_interrupts.h"
#include "torus/collective/network.h"

namespace toroid {

/// Class of collectives, and of global interrupts, that all nodes of a job have from its start on.
inline constexpr unsigned kJobClass = 0;
/// What the control register of global interrupts then is: the first state of a barrier (GIBarrier.h of the machine).
inline constexpr unsigned kFirstBarrierState = 4;

/// What the control system does before a job begins: routes of its own class over the nodes `members`, by number. The
/// root of the tree is the machine's: half the size along each dimension.
void set_job_routes(const Topology& topology, const std::vector<std::uint32_t>& members, CollectiveNetwork& collectives,
                    InterruptClasses& interrupts);

}  // namespace toroid
