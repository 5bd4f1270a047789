// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/class_route.h"

#include <stdexcept>

namespace toroid {

std::uint32_t ClassRoute::word() const {
  return static_cast<std::uint32_t>(type) << 28 | std::uint32_t{input} << 16 | output;
}

ClassRoute ClassRoute::of_word(std::uint32_t word) {
  ClassRoute route;
  route.type = static_cast<ClassType>(word >> 28 & 3);
  route.input = static_cast<std::uint16_t>(word >> 16 & 0xFFF);
  route.output = static_cast<std::uint16_t>(word & 0xFFF);
  return route;
}

bool Box::contains(const Coordinates& at, unsigned dimensions) const {
  for (unsigned d = 0; d < dimensions; ++d) {
    if (at[d] < low[d] || at[d] > high[d]) return false;
  }
  return true;
}

std::vector<ClassRoute> spanning_routes(const Topology& topology, const Box& box, const Coordinates& root,
                                        ClassType type, const std::vector<std::uint32_t>& participants,
                                        const DimensionOrder& order) {
  const unsigned dimensions = topology.dimensions();
  if (!box.contains(root, dimensions)) throw std::invalid_argument("the root of a class route lies in its box");
  std::vector<ClassRoute> routes(topology.nodes());
  const auto take_part = [&](std::uint32_t node) {
    routes[node].input |= ClassRoute::kLocal;
    routes[node].type = type;
    for (unsigned i = 0; i < dimensions; ++i) {
      const unsigned d = order[i];
      while (topology.coordinates(node)[d] != root[d]) {
        const auto up = static_cast<Direction>(2 * d + (topology.coordinates(node)[d] > root[d]));
        routes[node].output = ClassRoute::bit(up);
        node = topology.neighbour(node, up);
        routes[node].input |= ClassRoute::bit(opposite(up));
        routes[node].type = type;
      }
    }
  };
  for (const std::uint32_t node : participants) take_part(node);
  for (std::uint32_t node = 0; participants.empty() && node < topology.nodes(); ++node) {
    if (box.contains(topology.coordinates(node), dimensions)) take_part(node);
  }
  return routes;
}

}  // namespace toroid
