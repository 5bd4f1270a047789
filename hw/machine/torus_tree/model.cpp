// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/torus_tree/model.h"

#include "hw/machine/report.h"
#include "torus/barrier/barrier_latency.h"
#include "torus/tree/latency.h"
#include "torus/tree/topology.h"

namespace toroid {
namespace {

constexpr unsigned kDimensions = 3;  // of packet headers

}  // namespace

TorusTreeModel::TorusTreeModel(const std::vector<ProcessMode>& modes, unsigned cores) : modes_(modes) {
  for (const ProcessMode& mode : modes_) require_cores(mode, cores);
}

void TorusTreeModel::check_programs(const Shape& shape) const {
  if (shape.dimensions != kDimensions) {
    throw ConfigurationError(
        "programs run on machines of 3 dimensions, as packet headers and message layer know x, y "
        "and z alone, not of " +
        std::to_string(shape.dimensions) + "; traffic alone runs on such a machine");
  }
  if (config().torus.router != BlueGeneLpFamily::kName) {
    throw ParameterError("torus.router", "is " + config().torus.router + "; programs need the routers of family " +
                                             BlueGeneLpFamily::kName + ", as do packet headers (" + kWhatCanBeChanged +
                                             "); traffic alone runs on others");
  }
}

CollectiveLatencies TorusTreeModel::measure_collectives(const Topology& topology) const {
  const TreeLatencies tree = measure_tree(config().tree, topology);
  const Cycle barrier =
      measure_barrier(config().global_interrupts, TreeTopology(topology, config().tree.nodes_per_io_node));
  const auto ns = [this](Cycle cycles) { return static_cast<double>(cycles) * 1000 / config().torus.clock_mhz; };
  CollectiveLatencies latencies;
  latencies.simulated_ns = ns(tree.root_to_all + tree.node_to_all + tree.reduction + barrier);
  latencies.packet_hops = tree.hops;
  latencies.section = {{"compute_nodes", tree.compute_nodes},
                       {"io_nodes", tree.io_nodes},
                       {"tree_depth", tree.depth},
                       {"tree_root_to_all_ns", ns(tree.root_to_all)},
                       {"tree_node_to_all_ns", ns(tree.node_to_all)},
                       {"tree_reduction_ns", ns(tree.reduction)},
                       {"barrier_ns", ns(barrier)}};
  return latencies;
}

}  // namespace toroid
