// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_trace.h"

#include <nlohmann/json.hpp>

#include "hw/chips/bgl/bgl_hardware.h"
#include "hw/trace/network_recorder.h"
#include "torus/torus/latency.h"
#include "torus/tree/config.h"

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

class Recorders final : public NetworkTrace {
 public:
  Recorders(TorusNetwork& torus, TreeNetwork& tree, trace::Writer& writer, bool contents)
      : torus_(writer, torus.topology(), torus.config().clock_mhz, BlueGeneLpFamily::kChunkBytes, contents),
        tree_(writer, torus.config().clock_mhz, contents) {
    torus.observe(torus_);
    tree.observe(tree_);
  }

 private:
  trace::TorusRecorder torus_;
  trace::TreeRecorder tree_;
};

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

Json torus_metadata(const TorusNetwork& network) {
  const TorusConfig& config = network.config();
  Json wire = Json::array();
  for (unsigned chunks = 1; chunks <= BlueGeneLpFamily::kMaxChunks; ++chunks) {
    wire.push_back(wire_cycles(config, kBlueGeneLpRouters, 0, chunks).count());
  }
  return {{"wire_cycles", wire},
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

}  // namespace

void bgl_describe_trace(const BglHardware& machine, Json& metadata) {
  metadata["network_mhz"] = machine.torus().config().clock_mhz;
  metadata["torus"] = torus_metadata(machine.torus());
  metadata["tree"] = tree_metadata(machine.tree());
}

std::unique_ptr<NetworkTrace> bgl_record(TorusNetwork& torus, TreeNetwork& tree, trace::Writer& writer, bool contents) {
  return std::make_unique<Recorders>(torus, tree, writer, contents);
}

}  // namespace toroid
