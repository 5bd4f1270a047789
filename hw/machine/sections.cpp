// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/sections.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

Json link_section(const AnyTorusNetwork& network, std::uint32_t router, unsigned port, const LinkCounters& counters,
                  double cycles) {
  const Topology& topology = network.topology();
  const Coordinates at = topology.router_coordinates(router);
  return {{"node", std::vector<unsigned>(at.begin(), at.begin() + topology.dimensions())},
          {"direction", network.port_name(port)},
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

Json network_section(const AnyTorusNetwork& network, Cycle cycles) {
  std::uint64_t retransmissions = 0;
  Json links = Json::array();  // those that carried anything
  for (std::uint32_t router = 0; router < network.topology().routers(); ++router) {
    for (unsigned port = 0; port < network.ports(); ++port) {
      const LinkCounters counters = network.link(router, port);
      retransmissions += counters.retransmissions;
      if (counters.packets == 0) continue;
      links.push_back(link_section(network, router, port, counters, static_cast<double>(std::max<Cycle>(1, cycles))));
    }
  }
  return {{"packets_injected", network.injected()},
          {"packets_delivered", network.received()},
          {"packet_hops", network.hops()},
          {"retransmissions", retransmissions},
          {"links", std::move(links)}};
}

}  // namespace toroid
