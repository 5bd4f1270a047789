// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/job_classes.h"

namespace toroid {

void set_job_routes(const Topology& topology, const std::vector<std::uint32_t>& members, CollectiveNetwork& collectives,
                    InterruptClasses& interrupts) {
  Box box;
  Coordinates root{};
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    box.high[d] = static_cast<std::uint8_t>(topology.extent(d) - 1);
    root[d] = static_cast<std::uint8_t>(topology.extent(d) / 2);
  }
  const auto routes = spanning_routes(topology, box, root, ClassType::user_subset, members);
  collectives.set_routes(kJobClass, routes);
  interrupts.set_routes(kJobClass, routes, kFirstBarrierState);
}

}  // namespace toroid
