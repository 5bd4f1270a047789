// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/trace.h"

#include <nlohmann/json.hpp>

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

Json ranks_of(const Job& job) {
  Json ranks = Json::array();
  const MachineFacts& facts = job.facts();
  for (std::uint32_t rank = 0; rank < facts.ranks.size(); ++rank) {
    const ProcessPlace& place = facts.ranks[rank];
    Json coordinates = Json::array();
    for (unsigned d = 0; d < facts.dimensions; ++d) coordinates.push_back(place.coordinates[d]);
    ranks.push_back({{"rank", rank}, {"node", job.node_of(rank)}, {"coordinates", coordinates}, {"t", place.t}});
  }
  return ranks;
}

/// Of a function call, as its recorded arguments are in order.
Json argument_registers_of(const Isa& isa) {
  constexpr std::size_t kRecorded = std::extent_v<decltype(Call::arguments)>;
  Json names = Json::array();
  for (std::size_t i = 0; i < kRecorded; ++i)
    names.push_back(isa.registers()[isa.general_register(isa.roles().argument_numbers[i])].name);
  return names;
}

}  // namespace

Trace::Trace(const Request& request, Machine& machine, const std::string& program)
    : functions_(machine.job().program().image(), request.functions),
      writer_(request.file, metadata(request, machine, program)),
      networks_(machine.hardware().record(writer_, request.contents)) {
  const Job& job = machine.job();
  for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
    for (Core* const core : job.cores_of(rank)) {
      cores_.push_back(std::make_unique<CoreRecorder>(writer_, functions_, *core, job.node_of(rank), rank));
      core->observe(*cores_.back());
    }
  }
}

std::string Trace::metadata(const Request& request, const Machine& machine, const std::string& program) const {
  const Job& job = machine.job();
  const Topology& topology = machine.hardware().topology();
  Json metadata = {
      {"program", program},
      {"dimensions", topology.shape().names.substr(0, topology.dimensions())},
      {"shape", shape_of(topology)},
      {"wrap", wrap_of(topology)},
      {"processes_per_node", job.facts().processes_per_node},
      {"ranks", ranks_of(job)},
      {"core_mhz", job.cores_of(0).front()->config().clock_mhz},
      {"contents", request.contents},
      {"functions", functions_.names()},
      {"argument_registers", argument_registers_of(*job.cores_of(0).front()->config().isa)},
  };
  machine.hardware().describe_trace(metadata);
  return metadata.dump();
}

int Trace::finish() {
  for (const auto& core : cores_) core->finish();
  return writer_.finish(sc_core::sc_time_stamp().value());
}

}  // namespace toroid::trace
