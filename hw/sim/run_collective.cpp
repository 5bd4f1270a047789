// SPDX-License-Identifier: Apache-2.0
//
// The collective networks alone, without processors: latencies on machines of any size.
#include "hw/chips/registry.h"
#include "hw/machine/report.h"
#include "hw/sim/jobs.h"
#include "hw/sim/shape.h"

namespace toroid {

void check_description(const Configuration& configuration) {
  make_machine_model(configuration.machine, configuration.description);
}

int run_collective_networks(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const std::unique_ptr<MachineModel> model = make_machine_model(configuration.machine, configuration.description);
  const Topology topology(shape_of(configuration));
  progress.elaborated();
  CollectiveLatencies latencies = model->measure_collectives(topology);
  result["ended"] = "completed";
  result["error"] = nullptr;
  result["simulated_ns"] = latencies.simulated_ns;
  result["collective"] = std::move(latencies.section);
  Progress::Counts counts;
  counts.packet_hops = latencies.packet_hops;
  counts.fraction = 1;
  progress.done(counts);
  return 0;
}

}  // namespace toroid
