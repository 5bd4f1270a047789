// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/bgq_model.h"

#include <algorithm>
#include <string>

#include "hw/chips/bgq/bgq_hardware.h"
#include "hw/chips/bgq/kernel_calls.h"
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"

namespace toroid {
namespace {

constexpr std::uint64_t kMb = 1 << 20;

/// Along A, B, C, D and E: what BG_CoordinateMapping_t has bits for (spi/include/kernel/location.h).
constexpr unsigned kMostNodes[] = {64, 64, 64, 64, 2};

/// Memory that the processes of a node share: what the machine gives several of them by default, or what the job's
/// environment asks for, as a number of MB, or with + as so many more. Throws ConfigurationError for what is no size.
std::uint64_t shared_memory(const KernelConfig& kernel, std::uint64_t memory_bytes) {
  const std::string name = "BG_SHAREDMEMSIZE";
  const std::uint64_t usual = 64, most = memory_bytes / kMb / 2;
  const std::optional<std::string> value = kernel.variable(name);
  if (!value) return std::min(usual, most) * kMb;
  const bool more = !value->empty() && value->front() == '+';
  const std::string number = value->substr(more ? 1 : 0);
  const bool good = !number.empty() && number.size() < 6 && number.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t wanted = good ? std::stoul(number) + (more ? usual : 0) : most + 1;
  if (wanted > most)
    throw ConfigurationError("the environment variable " + name + " is '" + *value +
                             "'; it is shared memory of a node in MB, or +MB beside the usual " +
                             std::to_string(usual) + ", up to " + std::to_string(most) + " in all");
  return wanted * kMb;
}

/// Whether new threads fill a core before they go to the next one. Throws ConfigurationError for what is no order.
bool fills_cores(const KernelConfig& kernel) {
  const std::string name = "BG_THREADLAYOUT";
  const std::string value = kernel.variable(name).value_or("1");
  if (value != "1" && value != "2")
    throw ConfigurationError(
        "the environment variable " + name + " is '" + value +
        "'; it is 1, where new threads go from core to core, or 2, where they fill each core first");
  return value == "2";
}

}  // namespace

BgqModel::BgqModel(const BgqConfig& config, const std::vector<ProcessMode>& modes) : config_(config), modes_(modes) {
  for (const ProcessMode& mode : modes_) require_cores(mode, BgqChip::kThreads);
}

void BgqModel::check_programs(const Shape& shape) const {
  if (shape.dimensions != BlueGeneQFamily::kDimensions) {
    throw ConfigurationError("programs run on machines of 5 dimensions, which packet headers have, not of " +
                             std::to_string(shape.dimensions) + "; traffic alone runs on such a machine");
  }
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    if (shape.extent[d] <= kMostNodes[d]) continue;
    throw ConfigurationError("shape " + shape.text() + ": programs run on machines of at most " +
                             std::to_string(kMostNodes[d]) + " nodes along " + shape.names[d] +
                             ", as they have no bits for larger coordinates; traffic alone runs on such a machine");
  }
  if (config_.torus.router != BlueGeneQFamily::kName) {
    throw ParameterError("torus.router", "is " + config_.torus.router + "; programs need the routers of family " +
                                             BlueGeneQFamily::kName + ", as do packet headers (" + kWhatCanBeChanged +
                                             "); traffic alone runs on others");
  }
}

void BgqModel::set_up(KernelConfig& kernel) const {
  kernel.abi = &linux_ppc64();
  static_cast<KernelParameters&>(kernel) = config_.kernel;
  kernel.devices_apart = config_.devices_apart;
  kernel.machine_calls = bgq_kernel_calls();
  kernel.system_name = "CNK";
  kernel.machine_name = "BGQ";
  kernel.threads = true;
  kernel.shared_memory = shared_memory(kernel, config_.chip.memory.bytes);
  if (fills_cores(kernel)) kernel.thread_depth = BgqNodeKernel::kThreadsOfACore;
}

std::unique_ptr<Hardware> BgqModel::build(const BuildRequest& request, JobDirectory& directory,
                                          OutputSink& output) const {
  BgqConfig config = config_;
  config.chip.core = core_of_mode(config.chip.core, request.mode);
  config.chip.core.park = request.park;
  config.chip.processes = request.mode.processes;
  return std::make_unique<BgqHardware>(config, request, directory, output);
}

std::unique_ptr<MachineModel> make_bgq_model(const MachineDescription& description) {
  return std::make_unique<BgqModel>(describe_bgq(description.parameters), description.modes);
}

void visit_bgq_parameters(ParameterVisitor& visitor) {
  BgqConfig{}.visit_parameters(visitor);
}

}  // namespace toroid
