// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torus/collective/class_route.h"
#include "torus/collective/global_interrupts.h"
#include "torus/collective/network.h"

namespace toroid {

/// Class of collectives, and of global interrupts, that all nodes of a job have from its start on.
inline constexpr unsigned kJobClass = 0;
/// The kernel's own: to load a job, for the job, and for the block. This kernel does without, but they are not free.
inline constexpr std::array<unsigned, 3> kSystemClasses{13, 14, 15};
/// What the control register of global interrupts then is: the first state of a barrier (GIBarrier.h of the machine).
inline constexpr unsigned kFirstBarrierState = 4;

/// What the control system does before a job begins: routes of its own class over the nodes `members`, by number, which
/// it returns by node. The tree is the machine's (Classroute.h, hlcs): its root is half the size along each dimension,
/// and a node's way to it begins along E and goes on to A; but where only the first dimensions are 1, it begins with
/// as many dimensions less.
std::vector<ClassRoute> set_job_routes(const Topology& topology, const std::vector<std::uint32_t>& members,
                                       CollectiveNetwork& collectives, InterruptClasses& interrupts);

}  // namespace toroid
