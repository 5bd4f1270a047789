// SPDX-License-Identifier: Apache-2.0
//
// The collective networks alone, without processors: latencies on machines of any size.
#include "hw/machine/describe.h"
#include "hw/sim/jobs.h"
#include "hw/sim/shape.h"
#include "torus/barrier/barrier_latency.h"
#include "torus/tree/latency.h"

namespace toroid {

int run_collective_networks(const Configuration& configuration, Progress& progress, ResultFile& result) {
  const MachineConfig machine = describe(configuration.parameters);
  const Topology torus(shape_of(configuration));
  progress.elaborated();
  const TreeLatencies tree = measure_tree(machine.tree, torus);
  const Cycle barrier = measure_barrier(machine.global_interrupts, TreeTopology(torus, machine.tree.nodes_per_io_node));
  const auto ns = [&machine](Cycle cycles) { return static_cast<double>(cycles) * 1000 / machine.torus.clock_mhz; };
  result["ended"] = "completed";
  result["error"] = nullptr;
  result["simulated_ns"] = ns(tree.root_to_all + tree.node_to_all + tree.reduction + barrier);
  result["collective"] = {{"compute_nodes", tree.compute_nodes},
                          {"io_nodes", tree.io_nodes},
                          {"tree_depth", tree.depth},
                          {"tree_root_to_all_ns", ns(tree.root_to_all)},
                          {"tree_node_to_all_ns", ns(tree.node_to_all)},
                          {"tree_reduction_ns", ns(tree.reduction)},
                          {"barrier_ns", ns(barrier)}};
  Progress::Counts counts;
  counts.packet_hops = tree.hops;
  counts.fraction = 1;
  progress.done(counts);
  return 0;
}

}  // namespace toroid
