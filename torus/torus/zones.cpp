// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/zones.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toroid {
namespace {

constexpr const char* kZoneNames[kZones] = {"torus.zone0", "torus.zone1", "torus.zone2", "torus.zone3"};

ZoneMasks longest_to_shortest(const Topology& topology) {
  ZoneMasks masks{};
  unsigned count = 0;
  for (unsigned extent = 256; extent > 0; --extent) {
    unsigned mask = 0;
    for (unsigned d = 0; d < topology.dimensions(); ++d) mask |= (topology.extent(d) == extent ? 1u : 0u) << d;
    if (mask != 0) masks[count++] = static_cast<std::uint8_t>(mask);
  }
  return masks;
}

ZoneMasks one_by_one(const Topology& topology, const DimensionOrder& order, unsigned with) {
  ZoneMasks masks{};
  unsigned count = 0;
  for (const unsigned d : order) {
    if (d < topology.dimensions()) masks[count++] = static_cast<std::uint8_t>(1u << d | with);
  }
  return masks;
}

}  // namespace

void ZoneConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(buffer_packets, "torus.buffer_packets", "packets", {2, 15},
                "slots for packets in the input buffer of each virtual channel whose tokens are packets");
  visitor.count(transit_grants, "torus.transit_grants", "count", {1, 256},
                "packets in transit that a link takes before one that waits for injection");
  visitor.choice(order_rule, "torus.order_rule", {"as_listed", "longest_first"},
                 "deterministic order: torus.dimension_order, or the longest dimension first");
  for (unsigned zone = 0; zone < kZones; ++zone) {
    visitor.masks(zones[zone], kZoneNames[zone],
                  "dimensions that dynamic packets of the zone may choose among, then the next ones");
  }
}

DimensionOrder deterministic_order(const Topology& topology, const DimensionOrder& listed, OrderRule rule) {
  DimensionOrder order = listed;
  if (rule == OrderRule::as_listed) return order;
  const auto extent = [&](unsigned d) { return d < topology.dimensions() ? topology.extent(d) : 0; };
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return extent(a) > extent(b); });
  return order;
}

std::array<ZoneMasks, kZones> zone_masks(const Topology& topology, const DimensionOrder& order,
                                         const std::array<ZoneMasks, kZones>& given) {
  const unsigned all = (1u << topology.dimensions()) - 1;
  const unsigned last = 1u << (topology.dimensions() - 1);
  std::array<ZoneMasks, kZones> masks = {longest_to_shortest(topology), ZoneMasks{static_cast<std::uint8_t>(all)},
                                         one_by_one(topology, order, 0), one_by_one(topology, order, last)};
  for (unsigned zone = 0; zone < kZones; ++zone) {
    if (given[zone][0] != 0) masks[zone] = given[zone];
    unsigned named = 0;
    for (const unsigned mask : masks[zone]) named |= mask;
    if ((named & all) != all) throw std::invalid_argument(std::string(kZoneNames[zone]) + " leaves out a dimension");
  }
  return masks;
}

}  // namespace toroid
