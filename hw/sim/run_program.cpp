// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include "hw/chips/registry.h"
#include "hw/kernel/printable.h"
#include "hw/machine/machine.h"
#include "hw/sim/jobs.h"
#include "hw/sim/output.h"
#include "hw/sim/shape.h"
#include "hw/sim/units_in_verilog.h"
#include "hw/sim/warnings.h"
#include "hw/trace/trace.h"

namespace toroid {

namespace {

constexpr int kStatusFailed = 1;
constexpr int kStatusTimeout = 124;
constexpr int kStatusInterrupted = 130;

Mapping mapping_of(const RunRequest& run, const MachineModel& model, const Topology& topology, unsigned processes) {
  if (!run.mapping_file.empty()) return Mapping::load(run.mapping_file, topology, processes, run.ranks);
  const char* const usual = model.rank_order();
  if (run.order.empty())
    return usual == nullptr ? Mapping::xyzt(topology, processes) : Mapping::by_letters(usual, topology, processes);
  // The first letter counts fastest on machines whose own order is XYZT, the last one on those that have letters.
  const std::string letters = usual != nullptr ? run.order : std::string(run.order.rbegin(), run.order.rend());
  return Mapping::by_letters(letters, topology, processes);
}

JobRequest job_of(const Configuration& configuration, const ProcessMode& mode) {
  const RunRequest& run = *configuration.run;
  JobRequest job;
  job.program = run.program;
  job.ranks = run.ranks;
  job.mode = mode;
  job.timeout_ns = run.timeout_ns;
  job.job_directory = run.job_directory;
  job.kernel.arguments = run.arguments;
  // The name alone: where a program lies on the host must not shift its stack, and with it its timing.
  job.kernel.arguments.insert(job.kernel.arguments.begin(), std::filesystem::path(run.program).filename());
  for (const auto& [name, value] : run.environment) job.kernel.environment.push_back(name + "=" + value);
  job.kernel.seed = configuration.seed;
  job.elaboration_order = configuration.elaboration_order;
  job.park = run.park;
  job.check_coherence = run.check_coherence;
  return job;
}

Progress::Counts counts_of(const Machine& machine, const RunRequest& run) {
  Progress::Counts counts;
  counts.simulated_ns = machine.simulated_ns();
  counts.instructions = machine.instructions();
  counts.packets = machine.hardware().packets();
  counts.packet_hops = machine.hardware().packet_hops();
  counts.live_ranks = machine.job().live();
  if (run.timeout_ns) {
    counts.fraction = std::min(1.0, static_cast<double>(counts.simulated_ns) / static_cast<double>(*run.timeout_ns));
  }
  return counts;
}

int exit_status(const RunReport& report) {
  switch (report.ending) {
    case Ending::completed:
    case Ending::aborted:
      for (const RankReport& rank : report.ranks) {
        if (rank.status.value_or(0) != 0) return *rank.status;
      }
      return report.error ? kStatusFailed : 0;
    case Ending::timeout:
      return kStatusTimeout;
    case Ending::interrupted:
      return kStatusInterrupted;
    case Ending::deadlock:
    case Ending::stuck:
    case Ending::fault:
    case Ending::failed:
      break;
  }
  return kStatusFailed;
}

/// The machine, if programs can run on it.
std::unique_ptr<MachineModel> checked_model(const Configuration& configuration) {
  std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  check_units(configuration, *model);
  if (configuration.run->check_coherence && !model->checks_coherence()) {
    throw ConfigurationError(std::string("--check-coherence: machine \"") + model->name() +
                             "\" has no checker for accesses that need coherent caches");
  }
  try {
    model->check_programs(shape_of(configuration));
  } catch (const ParameterError& error) {
    throw configuration.description.parameters.refusal(error);
  }
  return model;
}

ProcessMode checked_mode(const RunRequest& run, const MachineModel& model) {
  const ProcessMode mode =
      run.mode.empty() ? model.modes().front() : mode_called(run.mode, model.modes(), model.name());
  if (run.check_coherence && mode.cores == 1) {
    std::string wanted;
    for (const ProcessMode& other : model.modes()) {
      if (other.cores > 1) wanted += (wanted.empty() ? "" : " or ") + other.name;
    }
    throw ConfigurationError("\"check_coherence\" needs the mode " + wanted + ": in the mode " + mode.name +
                             " no two cores share cached memory");
  }
  return mode;
}

}  // namespace

void check_machine(const Configuration& configuration) {
  checked_model(configuration);
  const Topology topology(shape_of(configuration));
}

int run_program(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const RunRequest& run = *configuration.run;
  const std::unique_ptr<MachineModel> model = checked_model(configuration);
  const ProcessMode mode = checked_mode(run, *model);
  print_warnings(*model);
  const Topology topology(shape_of(configuration));
  auto port = run.gdb ? std::make_unique<TcpPort>(run.gdb->port) : nullptr;  // one in use is told before all else
  const Mapping mapping = mapping_of(run, *model, topology, mode.processes);
  tell_host_memory(estimate_host_memory(topology.nodes(), run.ranks, mode.cores, run.check_coherence));
  HostOutput output(run.prefix_output);
  Machine machine(*model, topology, mapping, job_of(configuration, mode), output);
  std::unique_ptr<trace::Trace> trace;
  if (run.trace) {
    trace = std::make_unique<trace::Trace>(*run.trace, machine, std::filesystem::path(run.program).filename());
  }
  std::unique_ptr<rtl::UnitSet> units;
  if (configuration.rtl) {
    units = machine.hardware().replace_units(*configuration.rtl);
    units->on_fault([&] { machine.fail(*units->fault()); });
  }
  if (run.gdb) machine.debug(run.gdb->rank, std::move(port), run.gdb->sources, &interrupted);
  progress.elaborated();
  const RunReport report = machine.run([&](const Machine& running) {
    if (progress.is_due()) progress.update(counts_of(running, run));
    return !interrupted();
  });
  output.flush();
  add_run(result, report);
  if (units) add_rtl(result, units->report());
  progress.done(counts_of(machine, run));
  const int status = exit_status(report);
  const int trace_error = trace ? trace->finish() : 0;
  if (trace_error != 0) {
    std::cerr << "toroid-sim: " << printable(run.trace->file)
              << ": the trace could not be written: " << std::strerror(trace_error) << "\n";
  }
  if (const int error = output.failure()) {
    std::cerr << "toroid-sim: some of the program's output could not be written: " << std::strerror(error) << "\n";
    return status == 0 ? kStatusFailed : status;
  }
  return trace_error != 0 && status == 0 ? kStatusFailed : status;
}

}  // namespace toroid
