// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_model.h"

#include <algorithm>
#include <string>

#include "hw/chips/bgp/bgp_hardware.h"
#include "hw/chips/bgp/kernel_calls.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/machine/report.h"
#include "torus/barrier/barrier_latency.h"
#include "torus/tree/latency.h"

namespace toroid {
namespace {

constexpr unsigned kDimensions = 3;  // of packet headers

/// Each process has its share of L3 (docs/decisions/0007). Throws ConfigurationError if that makes no cache.
BgpChipConfig chip_of_mode(BgpChipConfig chip, const ProcessMode& mode) {
  chip.core.memory.l3_bytes /= mode.processes;
  try {
    chip.core.memory.validate();
  } catch (const ParameterError& error) {
    throw ConfigurationError("in " + mode.title + " each process has its share of L3: " + std::string(error.what()));
  }
  return chip;
}

/// What the job's environment asks for. Throws ConfigurationError for what is no size.
std::uint64_t shared_memory(const std::vector<std::string>& environment, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kMb = 1 << 20, kUsual = 8;  // of a node that has room for it
  const std::uint64_t most = std::min<std::uint64_t>(memory_bytes / kMb / 2, 512);
  std::uint64_t size = std::min(kUsual, memory_bytes / kMb / 64);
  for (const std::string name : {"BG_SHAREDMEMSIZE", "BG_SHAREDMEMPOOLSIZE"}) {
    for (const std::string& variable : environment) {
      if (variable.compare(0, name.size() + 1, name + "=") != 0) continue;
      const std::string value = variable.substr(name.size() + 1);
      const bool number =
          !value.empty() && value.size() < 6 && value.find_first_not_of("0123456789") == std::string::npos;
      if (!number || std::stoul(value) > most)
        throw ConfigurationError("the environment variable " + name + " is '" + value +
                                 "'; it is shared memory of a node in MB, from 0 to " + std::to_string(most));
      size = std::stoul(value);
    }
  }
  return size * kMb;
}

}  // namespace

BgpModel::BgpModel(const BgpConfig& config, const std::vector<ProcessMode>& modes) : config_(config), modes_(modes) {
  for (const ProcessMode& mode : modes_) require_cores(mode, BgpChip::kCores);
}

void BgpModel::check_programs(const Shape& shape) const {
  if (shape.dimensions != kDimensions) {
    throw ConfigurationError(
        "programs run on machines of 3 dimensions, as packet headers and message layer know x, y "
        "and z alone, not of " +
        std::to_string(shape.dimensions) + "; traffic alone runs on such a machine");
  }
  if (config_.torus.router != BlueGeneLpFamily::kName) {
    throw ParameterError("torus.router", "is " + config_.torus.router + "; programs need the routers of family " +
                                             BlueGeneLpFamily::kName + ", as do packet headers (" + kWhatCanBeChanged +
                                             "); traffic alone runs on others");
  }
}

void BgpModel::set_up(KernelConfig& kernel) const {
  kernel.abi = &linux_ppc32();
  static_cast<KernelParameters&>(kernel) = config_.kernel;
  kernel.machine_calls = bgp_kernel_calls();
  kernel.system_name = "CNK";
  kernel.machine_name = "BGP";
  kernel.threads = true;
  kernel.shared_memory = shared_memory(kernel.environment, config_.chip.memory_bytes);
}

std::unique_ptr<Hardware> BgpModel::build(const BuildRequest& request, JobDirectory& directory,
                                          OutputSink& output) const {
  BgpConfig config = config_;
  config.chip = chip_of_mode(config.chip, request.mode);
  config.chip.core.park = request.park;
  return std::make_unique<BgpHardware>(config, request, directory, output);
}

CollectiveLatencies BgpModel::measure_collectives(const Topology& topology) const {
  const TreeLatencies tree = measure_tree(config_.tree, topology);
  const Cycle barrier =
      measure_barrier(config_.global_interrupts, TreeTopology(topology, config_.tree.nodes_per_io_node));
  const auto ns = [this](Cycle cycles) { return static_cast<double>(cycles) * 1000 / config_.torus.clock_mhz; };
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

std::unique_ptr<MachineModel> make_bgp_model(const MachineDescription& description) {
  return std::make_unique<BgpModel>(describe_bgp(description.parameters), description.modes);
}

void visit_bgp_parameters(ParameterVisitor& visitor) {
  BgpConfig{}.visit_parameters(visitor);
}

}  // namespace toroid
