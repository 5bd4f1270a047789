// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/job_classes.h"

namespace toroid {
namespace {

/// From the last dimension to the first, turned by the number of the first one that has several nodes.
DimensionOrder order_of(const Topology& topology) {
  unsigned first = 0;
  while (first + 1 < kMaxDimensions && topology.extent(first) == 1) ++first;
  if (topology.extent(first) == 1) first = 0;
  DimensionOrder order{};
  for (unsigned i = 0; i < kMaxDimensions; ++i)
    order[i] = static_cast<std::uint8_t>(kMaxDimensions - 1 - (first + i) % kMaxDimensions);
  return order;
}

}  // namespace

std::vector<ClassRoute> set_job_routes(const Topology& topology, const std::vector<std::uint32_t>& members,
                                       CollectiveNetwork& collectives, InterruptClasses& interrupts) {
  Box box;
  Coordinates root{};
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    box.high[d] = static_cast<std::uint8_t>(topology.extent(d) - 1);
    root[d] = static_cast<std::uint8_t>(topology.extent(d) / 2);
  }
  const auto routes = spanning_routes(topology, box, root, ClassType::user_subset, members, order_of(topology));
  collectives.set_routes(kJobClass, routes);
  interrupts.set_routes(kJobClass, routes, kFirstBarrierState);
  return routes;
}

}  // namespace toroid
