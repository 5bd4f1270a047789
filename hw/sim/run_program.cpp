// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include "hw/kernel/printable.h"
#include "hw/machine/machine.h"
#include "hw/sim/jobs.h"
#include "hw/sim/output.h"
#include "hw/sim/shape.h"
#include "hw/sim/warnings.h"
#include "hw/trace/trace.h"

namespace toroid {

namespace {

constexpr unsigned kBglDimensions = 3;
// What drivers fill an injection FIFO up to: BGL_TORUS_USABLE_CHUNKS of drivers/bgl/torus.h.
constexpr unsigned kDriverChunks = 24;
constexpr int kStatusFailed = 1;
constexpr int kStatusTimeout = 124;
constexpr int kStatusInterrupted = 130;

Mapping mapping_of(const RunRequest& run, const Topology& topology) {
  const unsigned processes = run.processes_per_node;
  return run.mapping_file.empty() ? Mapping::xyzt(topology, processes)
                                  : Mapping::load(run.mapping_file, topology, processes, run.ranks);
}

JobRequest job_of(const Configuration& configuration) {
  const RunRequest& run = *configuration.run;
  JobRequest job;
  job.program = run.program;
  job.ranks = run.ranks;
  job.processes_per_node = run.processes_per_node;
  job.timeout_ns = run.timeout_ns;
  job.job_directory = run.job_directory;
  job.kernel.arguments = run.arguments;
  // The name alone: where a program lies on the host must not shift its stack, and with it its timing.
  job.kernel.arguments.insert(job.kernel.arguments.begin(), std::filesystem::path(run.program).filename());
  for (const auto& [name, value] : run.environment) job.kernel.environment.push_back(name + "=" + value);
  job.kernel.seed = configuration.seed;
  return job;
}

Progress::Counts counts_of(const Machine& machine, const RunRequest& run) {
  Progress::Counts counts;
  counts.simulated_ns = machine.simulated_ns();
  counts.instructions = machine.instructions();
  counts.packets = machine.packets();
  counts.packet_hops = machine.packet_hops();
  counts.live_ranks = machine.live_processes();
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
      if (report.ending == Ending::aborted) return kStatusFailed;
      if (report.coherence && !report.coherence->empty()) return kStatusFailed;
      return report.tree.left_over.empty() ? 0 : kStatusFailed;
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

/// The parameters as the machine takes them, where programs can run on it.
MachineConfig machine_config(const Configuration& configuration) {
  if (configuration.machine != "bgl") {
    throw ConfigurationError("machine \"" + configuration.machine + "\" cannot run programs; bgl can");
  }
  if (configuration.shape.size() != kBglDimensions) {
    throw ConfigurationError(
        "programs run on machines of 3 dimensions, as packet headers and message layer know x, y "
        "and z alone, not of " +
        std::to_string(configuration.shape.size()) + "; traffic alone runs on such a machine");
  }
  MachineConfig config = describe(configuration.parameters);
  if (const unsigned depth = config.chip.torus_fifo.depth; depth < kDriverChunks) {
    throw ConfigurationError("parameter torus_fifo.depth is " + std::to_string(depth) + "; it must be from " +
                             std::to_string(kDriverChunks) + " to 255 where programs run: drivers fill a FIFO up to " +
                             std::to_string(kDriverChunks) + " chunks without looking further");
  }
  return config;
}

}  // namespace

void check_machine(const Configuration& configuration) {
  machine_config(configuration);
  const Topology topology(shape_of(configuration));
}

int run_program(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const RunRequest& run = *configuration.run;
  MachineConfig config = machine_config(configuration);
  config.chip.core.park = run.park;
  config.chip.check_coherence = run.check_coherence;
  print_warnings(config.torus);
  const Topology topology(shape_of(configuration));
  auto port = run.gdb ? std::make_unique<TcpPort>(run.gdb->port) : nullptr;  // one in use is told before all else
  const Mapping mapping = mapping_of(run, topology);
  tell_host_memory(estimate_host_memory(topology.nodes(), run.ranks, run.processes_per_node));
  HostOutput output(run.prefix_output);
  Machine machine(config, topology, mapping, job_of(configuration), configuration.seed, output);
  std::unique_ptr<trace::Trace> trace;
  if (run.trace) {
    trace = std::make_unique<trace::Trace>(*run.trace, machine, std::filesystem::path(run.program).filename());
  }
  std::unique_ptr<rtl::Units> units;
  if (configuration.rtl) {
    units = std::make_unique<rtl::Units>(*configuration.rtl, machine.network(), &machine.tree());
    units->on_fault([&] { machine.fail(*units->fault()); });
  }
  if (run.gdb) machine.debug(run.gdb->rank, std::move(port), run.gdb->sources, &interrupted);
  progress.elaborated();
  const RunReport report = machine.run([&](const Machine& running) {
    progress.update(counts_of(running, run));
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
