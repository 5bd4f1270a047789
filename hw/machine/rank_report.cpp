// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/rank_report.h"

#include <algorithm>

#include "hw/machine/diagnosis.h"

namespace toroid {
namespace {

void add_ending(const Job& job, RankReport& report) {
  const Process& process = job.process(report.rank);
  switch (process.how_ended()) {
    case ProcessEnd::exited:
    case ProcessEnd::aborted:
      report.status = process.exit_status();
      break;
    case ProcessEnd::killed:
      report.fault = process.report();
      break;
    case ProcessEnd::running:
    case ProcessEnd::timed_out:
      report.waiting = whereabouts(job, report.rank);
      break;
  }
}

void add_system_calls(const Process& process, RankReport& report) {
  const std::string unknown = "unknown ";
  for (const auto& [name, count] : process.system_calls()) {
    if (name.compare(0, unknown.size(), unknown) == 0) {
      report.unknown_system_calls[name.substr(unknown.size())] = count;
    } else {
      report.system_calls[name] = count;
    }
  }
}

}  // namespace

RankReport report_rank(const Job& job, std::uint32_t rank) {
  const Process& process = job.process(rank);
  const MachineFacts& facts = job.facts();
  const ProcessPlace& place = facts.ranks[rank];
  const std::vector<Core*>& cores = job.cores_of(rank);
  RankReport report;
  report.rank = rank;
  report.coordinates = {place.coordinates.begin(), place.coordinates.begin() + facts.dimensions};
  report.coordinates.push_back(place.t);
  add_ending(job, report);
  const CoreCounters& counters = cores.front()->counters();
  report.instructions = counters.instructions;
  report.cycles = cores.front()->cycles().count();
  for (std::size_t i = 1; i < cores.size(); ++i) {
    if (cores[i]->cycles() == 0) continue;
    if (!report.second_core) report.second_core = SecondCoreReport{};
    report.second_core->instructions += cores[i]->counters().instructions;
    report.second_core->cycles = std::max(report.second_core->cycles, cores[i]->cycles().count());
  }
  report.io = process.io_traffic();
  if (const MemoryConfig& memory = cores.front()->config().memory; memory.modelled) {
    for (const auto& [name, value] : MemoryCounters::of(memory.levels)) {
      if (name != nullptr) report.memory[name] = counters.memory.*value;
    }
  }
  add_system_calls(process, report);
  return report;
}

}  // namespace toroid
