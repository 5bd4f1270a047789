// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/bgq_hardware.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hw/chips/bgq/job_classes.h"
#include "hw/chips/bgq/mu_recorder.h"
#include "hw/machine/report.h"
#include "hw/machine/sections.h"
#include "hw/trace/network_metadata.h"
#include "torus/base/clock.h"
#include "torus/torus/stuck_report.h"

namespace toroid {
namespace {

/// What all Messaging Units have done.
nlohmann::ordered_json mu_section(const std::vector<std::unique_ptr<BgqChip>>& chips) {
  MuCounters sum;
  for (const auto& chip : chips) {
    if (chip != nullptr) sum += chip->mu().counters();
  }
  return {{"descriptors", sum.descriptors},
          {"messages", sum.messages},
          {"packets_injected", sum.packets_injected},
          {"packets_received", sum.packets_received},
          {"packets_local", sum.packets_local},
          {"bytes_read", sum.bytes_read},
          {"bytes_written", sum.bytes_written},
          {"remote_gets", sum.remote_gets},
          {"atomics", sum.atomics},
          {"waits_for_fifo", sum.waits_for_fifo},
          {"refused", sum.refused},
          {"bad_access", sum.bad_access}};
}

/// Records the packets of the torus and what makes them.
class BgqTrace final : public NetworkTrace {
 public:
  BgqTrace(CollectiveNetwork::Torus& torus, trace::Writer& writer, bool contents)
      : packets_(writer, torus.topology(), torus.config().clock_mhz, torus.family().chunk_bytes, contents),
        mu_(writer, torus.config().clock_mhz) {
    torus.observe(packets_);
  }
  MuRecorder& mu() { return mu_; }

 private:
  MuPacketRecorder packets_;
  MuRecorder mu_;
};

}  // namespace

BgqHardware::BgqHardware(const BgqConfig& config, const BuildRequest& request, JobDirectory& directory,
                         OutputSink& output)
    : torus_(wheel_, config.torus, request.topology, request.seed),
      collectives_(torus_, config.collective),
      interrupts_(wheel_, config.global_interrupts, request.topology),
      clock_("network_clock", wheel_, config.torus.clock_mhz),
      io_(directory, output),
      chips_(request.topology.nodes()),
      dead_ends_(request.topology.nodes()) {
  const std::vector<ClassRoute> routes = set_job_routes(topology(), request.nodes, collectives_, interrupts_);
  for (const std::uint32_t node : request.nodes) {
    const std::string name = "node" + std::to_string(node);
    const BgqChip::Networks networks{torus_, collectives_, interrupts_, clock_, routes[node]};
    chips_[node] = std::make_unique<BgqChip>(name.c_str(), config.chip, networks, io_, node);
  }
  for (std::uint32_t number = 0; number < topology().nodes(); ++number) {
    if (chips_[number] == nullptr) dead_ends_[number] = std::make_unique<DeadEnd>(torus_, number, clock_);
  }
}

std::uint64_t BgqHardware::in_flight() const {
  std::uint64_t sum = torus_.in_flight();
  for (const auto& chip : chips_) sum += chip != nullptr ? chip->mu().in_flight() : 0;
  return sum;
}

void BgqHardware::settle() {
  clock_.sync_to(sc_core::sc_time_stamp());
}

std::string BgqHardware::unmoved_text() const {
  return std::to_string(torus_.in_flight()) + " packets in the network have not moved since network cycle " +
         std::to_string(torus_.progress().last_move().count());
}

std::string BgqHardware::held_up_text(Ending ending) const {
  return ending == Ending::stuck && torus_.in_flight() != 0 ? stuck_report(torus_).text() : std::string();
}

std::vector<PendingWork> BgqHardware::pending_work() const {
  std::vector<PendingWork> work;
  for (std::uint32_t number = 0; number < topology().nodes(); ++number) {
    const PendingWorkSource* source = chips_[number].get();
    if (source == nullptr) source = dead_ends_[number].get();
    for (PendingWork& each : source->pending_work(name_of(number))) work.push_back(std::move(each));
  }
  return work;
}

MachineReport BgqHardware::report(const Job&, Ending) const {
  MachineReport report;
  report.sections["coherence"] = nullptr;  // caches are coherent
  report.sections["network"] =
      network_section(torus_, cycle_begun(sc_core::sc_time_stamp(), torus_.config().clock_mhz));
  report.sections["mu"] = mu_section(chips_);
  return report;
}

void BgqHardware::describe_trace(nlohmann::ordered_json& metadata) const {
  metadata["network_mhz"] = torus_.config().clock_mhz;
  metadata["torus"] = torus_metadata(torus_, TorusHeader::mu);
}

std::unique_ptr<NetworkTrace> BgqHardware::record(trace::Writer& writer, bool contents) {
  auto trace = std::make_unique<BgqTrace>(torus_, writer, contents);
  for (const auto& chip : chips_) {
    if (chip != nullptr) chip->mu().observe(&trace->mu());
  }
  return trace;
}

}  // namespace toroid
