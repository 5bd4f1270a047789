// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_model.h"

#include <algorithm>
#include <string>

#include "hw/chips/bgp/bgp_hardware.h"
#include "hw/chips/bgp/kernel_calls.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"

namespace toroid {
namespace {

/// What the job's environment asks for. Throws ConfigurationError for what is no size.
std::uint64_t shared_memory(const KernelConfig& kernel, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kMb = 1 << 20, kUsual = 8;  // of a node that has room for it
  const std::uint64_t most = std::min<std::uint64_t>(memory_bytes / kMb / 2, 512);
  std::uint64_t size = std::min(kUsual, memory_bytes / kMb / 64);
  for (const std::string name : {"BG_SHAREDMEMSIZE", "BG_SHAREDMEMPOOLSIZE"}) {
    const std::optional<std::string> value = kernel.variable(name);
    if (!value) continue;
    const bool number =
        !value->empty() && value->size() < 6 && value->find_first_not_of("0123456789") == std::string::npos;
    if (!number || std::stoul(*value) > most)
      throw ConfigurationError("the environment variable " + name + " is '" + *value +
                               "'; it is shared memory of a node in MB, from 0 to " + std::to_string(most));
    size = std::stoul(*value);
  }
  return size * kMb;
}

}  // namespace

BgpModel::BgpModel(const BgpConfig& config, const std::vector<ProcessMode>& modes)
    : TorusTreeModel(modes, BgpChip::kCores), config_(config) {}

void BgpModel::set_up(KernelConfig& kernel) const {
  kernel.abi = &linux_ppc32();
  static_cast<KernelParameters&>(kernel) = config_.kernel;
  kernel.machine_calls = bgp_kernel_calls();
  kernel.system_name = "CNK";
  kernel.machine_name = "BGP";
  kernel.threads = true;
  kernel.shared_memory = shared_memory(kernel, config_.chip.memory.bytes);
}

std::unique_ptr<Hardware> BgpModel::build(const BuildRequest& request, JobDirectory& directory,
                                          OutputSink& output) const {
  BgpConfig config = config_;
  config.chip.core = core_of_mode(config.chip.core, request.mode);
  config.chip.core.park = request.park;
  return std::make_unique<BgpHardware>(config, request, directory, output);
}

std::unique_ptr<MachineModel> make_bgp_model(const MachineDescription& description) {
  return std::make_unique<BgpModel>(describe_bgp(description.parameters), description.modes);
}

void visit_bgp_parameters(ParameterVisitor& visitor) {
  BgpConfig{}.visit_parameters(visitor);
}

}  // namespace toroid
