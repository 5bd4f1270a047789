// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/trace.h"

#include <nlohmann/json.hpp>

#include "torus/base/latency.h"
#include "torus/tree/config.h"

namespace toroid::trace {
namespace {

using Json = nlohmann::ordered_json;

Json shape_of(const Topology& topology) {
  Json shape = Json::array();
  for (unsigned d = 0; d < topology.dimensions(); ++d) shape.push_back(topology.extent(d));
  return shape;
}

Json wrap_of(const Topology& topology) {
  Json wrap = Json::array();
  for (unsigned d = 0; d < topology.dimensions(); ++d) wrap.push_back(topology.torus(d));
  return wrap;
}

Json ranks_of(const Machine& machine) {
  Json ranks = Json::array();
  const MachineFacts& facts = machine.facts();
  for (std::uint32_t rank = 0; rank < facts.ranks.size(); ++rank) {
    const ProcessPlace& place = facts.ranks[rank];
    Json coordinates = Json::array();
    for (unsigned d = 0; d < facts.dimensions; ++d) coordinates.push_back(place.coordinates[d]);
    ranks.push_back({{"rank", rank}, {"node", machine.node_of(rank)}, {"coordinates", coordinates}, {"t", place.t}});
  }
  return ranks;
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

Trace::Trace(const Request& request, Machine& machine, const std::string& program)
    : machine_(machine),
      functions_(machine.program().image(), request.calls),
      writer_(request.file, metadata(request, machine, program)),
      torus_(writer_, machine.network().topology(), machine.config().torus.clock_mhz, request.contents),
      tree_(writer_, machine.config().torus.clock_mhz, request.contents) {
  machine.network().observe(torus_);
  machine.tree().observe(tree_);
  const MachineFacts& facts = machine.facts();
  for (std::uint32_t rank = 0; rank < facts.ranks.size(); ++rank) {
    const std::uint32_t node = machine.node_of(rank);
    for (unsigned number = 0; number < BglChip::kCores; ++number) {
      // In virtual node mode each core has a process of its own.
      if (facts.processes_per_node > 1 && number != facts.ranks[rank].t) continue;
      Core& core = machine.chip(node)->core(number);
      cores_.push_back(std::make_unique<CoreRecorder>(writer_, functions_, core, node, rank));
      core.observe(*cores_.back());
    }
  }
}

std::string Trace::metadata(const Request& request, Machine& machine, const std::string& program) const {
  const TorusNetwork& network = machine.network();
  const TorusConfig& torus = network.config();
  const TreeTopology& tree = machine.tree().topology();
  const MachineFacts& facts = machine.facts();
  Json wire = Json::array();
  for (unsigned chunks = 1; chunks <= kMaxChunks; ++chunks) wire.push_back(wire_cycles(torus, 0, chunks));
  Json metadata = {
      {"program", program},
      {"shape", shape_of(network.topology())},
      {"wrap", wrap_of(network.topology())},
      {"processes_per_node", facts.processes_per_node},
      {"ranks", ranks_of(machine)},
      {"core_mhz", machine.config().chip.core.clock_mhz},
      {"network_mhz", torus.clock_mhz},
      {"contents", request.contents},
      {"functions", functions_.names()},
      {"torus",
       {{"wire_cycles", wire},
        {"wire_overhead_bytes", torus.wire_overhead},
        {"hop_cycles", hop_cycles(torus)},
        {"injection_cycles", torus.injection_cycles},
        {"reception_cycles", torus.reception_cycles},
        {"injection_fifos_per_group", torus.injection_fifos},
        {"reception_fifos_per_group", network.topology().directions() + 1}}},
      {"tree",
       {{"compute_nodes", tree.compute_nodes()},
        {"root", tree.root()},
        {"wire_cycles", tree_wire_cycles(machine.tree().config())},
        {"hop_cycles", tree_hop_cycles(machine.tree().config())},
        {"reception_cycles", machine.tree().config().reception_cycles},
        {"channels", channels_of(tree)}}},
  };
  return metadata.dump();
}

int Trace::finish() {
  for (const auto& core : cores_) core->finish();
  return writer_.finish(sc_core::sc_time_stamp().value());
}

}  // namespace toroid::trace
