// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/sections.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

Json link_section(const Topology& topology, std::uint32_t node, Direction direction, const LinkCounters& counters,
                  double cycles) {
  const Coordinates at = topology.coordinates(node);
  return {{"node", std::vector<unsigned>(at.begin(), at.begin() + topology.dimensions())},
          {"direction", topology.direction_name(direction)},
          {"packets", counters.packets},
          {"bytes", counters.bytes},
          {"retransmissions", counters.retransmissions},
          {"busy_fraction", static_cast<double>(counters.busy_cycles) / cycles}};
}

}  // namespace

Json io_section(const IoTraffic& traffic) {
  return {{"calls", traffic.calls},
          {"request_packets", traffic.request_packets},
          {"reply_packets", traffic.reply_packets},
          {"request_bytes", traffic.request_bytes},
          {"reply_bytes", traffic.reply_bytes}};
}

Json network_section(const TorusNetwork& network, Cycle cycles) {
  const Topology& topology = network.topology();
  std::uint64_t retransmissions = 0;
  Json links = Json::array();  // those that carried anything
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    for (unsigned d = 0; d < topology.directions(); ++d) {
      const auto direction = static_cast<Direction>(d);
      const LinkCounters counters = network.link(node, direction);
      retransmissions += counters.retransmissions;
      if (counters.packets == 0) continue;
      links.push_back(
          link_section(topology, node, direction, counters, static_cast<double>(std::max<Cycle>(1, cycles))));
    }
  }
  return {{"packets_injected", network.injected()},
          {"packets_delivered", network.received()},
          {"packet_hops", network.hops()},
          {"retransmissions", retransmissions},
          {"links", std::move(links)}};
}

}  // namespace toroid
