// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/job.h"

#include "hw/machine/parameters.h"

namespace toroid {
namespace {

std::shared_ptr<const MachineFacts> facts_of(const Hardware& hardware, const std::vector<Place>& places,
                                             unsigned processes_per_node) {
  const Topology& topology = hardware.topology();
  auto facts = std::make_shared<MachineFacts>();
  facts->dimensions = topology.dimensions();
  facts->processes_per_node = processes_per_node;
  for (unsigned d = 0; d < facts->dimensions; ++d) {
    facts->shape[d] = topology.extent(d);
    facts->torus[d] = topology.torus(d);
  }
  for (const Place& place : places) {
    facts->ranks.push_back({topology.coordinates(place.node), static_cast<std::uint8_t>(place.processor),
                            hardware.processing_set(place.node)});
  }
  return facts;
}

}  // namespace

std::vector<Place> places_of_ranks(const Mapping& mapping, std::uint32_t ranks) {
  if (ranks < 1 || ranks > mapping.ranks()) {
    throw ConfigurationError("ranks is " + std::to_string(ranks) + "; this machine has places for 1 to " +
                             std::to_string(mapping.ranks()));
  }
  std::vector<Place> places;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) places.push_back(mapping.place(rank));
  return places;
}

Job::Job(const JobRequest& request, KernelConfig kernel, std::shared_ptr<Program> program,
         const std::vector<Place>& places, Hardware& hardware)
    : kernel_(std::move(kernel)),
      mode_(request.mode),
      program_path_(request.program),
      program_(std::move(program)),
      places_(places),
      hardware_(hardware),
      facts_(facts_of(hardware, places, request.mode.processes)),
      live_(places.size()) {
  for (std::uint32_t rank = 0; rank < places_.size(); ++rank) start_process(rank);
}

void Job::start_process(std::uint32_t rank) {
  Node& node = *hardware_.node(places_[rank].node);
  std::vector<Core*>& cores = cores_.emplace_back();
  for (unsigned i = 0; i < mode_.cores; ++i) cores.push_back(&node.core(places_[rank].processor * mode_.cores + i));
  Process& process = *processes_.emplace_back(
      std::make_unique<Process>(program_, facts_, kernel_, rank, node.io(), node.dcr(), node.services()));
  node.on_device_fault(places_[rank].processor, [&process](const std::string& what) { process.kill_by_device(what); });
  process.on_end([this](const Process& ended) { count_end(ended); });
  process.set_cores(cores);
  cores.front()->run(process);
}

void Job::count_end(const Process& process) {
  if (process.how_ended() != ProcessEnd::timed_out) --live_;
  if (process.how_ended() == ProcessEnd::killed && first_fault_ == nullptr) first_fault_ = &process;
  if (ended_) ended_(process);
}

void Job::flush_output(OutputSink& output) const {
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) process(rank).flush_output(hardware_.passed_on(rank), output);
}

}  // namespace toroid
