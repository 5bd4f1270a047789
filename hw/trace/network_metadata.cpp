// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/network_metadata.h"

#include <nlohmann/json.hpp>

#include "torus/torus/latency.h"
#include "torus/tree/config.h"

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(TorusHeader header) {
  switch (header) {
    case TorusHeader::software_port:
      return "software_port";
    case TorusHeader::mu:
      return "mu";
    case TorusHeader::dma:
      return "dma";
  }
  return "";
}

/// By node: the node behind each channel, or null.
Json channels_of(const TreeTopology& topology) {
  Json nodes = Json::array();
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    Json channels = Json::array();
    for (unsigned channel = 0; channel < kTreeChannels; ++channel) {
      const std::uint32_t neighbour = topology.neighbour(node, channel);
      channels.push_back(neighbour == kNoNode ? Json() : Json(neighbour));
    }
    nodes.push_back(std::move(channels));
  }
  return nodes;
}

}  // namespace

Json torus_metadata(const AnyTorusNetwork& network, TorusHeader header) {
  const TorusConfig& config = network.config();
  Json wire = Json::array();
  for (unsigned chunks = 1; chunks <= network.family().max_chunks; ++chunks) {
    wire.push_back(wire_cycles(config, network.family(), 0, chunks).count());
  }
  return {{"header", name_of(header)},
          {"wire_cycles", wire},
          {"wire_overhead_bytes", config.wire_overhead},
          {"hop_cycles", hop_cycles(config).count()},
          {"injection_cycles", config.injection_cycles},
          {"reception_cycles", config.reception_cycles},
          {"injection_fifos_per_group", config.injection_fifos},
          {"reception_fifos_per_group", network.topology().directions() + 1}};
}

Json tree_metadata(const TreeNetwork& network) {
  const TreeTopology& topology = network.topology();
  return {{"compute_nodes", topology.compute_nodes()},
          {"root", topology.root()},
          {"wire_cycles", tree_wire_cycles(network.config()).count()},
          {"hop_cycles", tree_hop_cycles(network.config()).count()},
          {"reception_cycles", network.config().reception_cycles},
          {"channels", channels_of(topology)}};
}

}  // namespace toroid
