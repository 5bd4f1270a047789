// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_model.h"

#include "hw/chips/bgl/bgl_hardware.h"
#include "hw/chips/bgl/coherence_checker.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "nic/bgl/rtl/units.h"
#include "nic/bgl/torus_packet.h"

namespace toroid {
namespace {

constexpr unsigned kCheckedLine = CoherenceChecker::kLineBytes;

}  // namespace

BglModel::BglModel(const BglConfig& config, const std::vector<ProcessMode>& modes)
    : TorusTreeModel(modes, BglChip::kCores), config_(config) {}

void BglModel::check_programs(const Shape& shape) const {
  TorusTreeModel::check_programs(shape);
  constexpr unsigned kDriverChunks = BGL_TORUS_USABLE_CHUNKS;
  if (const unsigned depth = config_.chip.torus_fifo.depth; depth < kDriverChunks) {
    const std::string usable = std::to_string(kDriverChunks);
    throw ParameterError("torus_fifo.depth", "is " + std::to_string(depth) + " chunks; it must be from " + usable +
                                                 " to 255 where programs run: drivers fill a FIFO up to " + usable +
                                                 " chunks without looking further");
  }
}

void BglModel::set_up(KernelConfig& kernel) const {
  kernel.abi = &linux_ppc32();
  static_cast<KernelParameters&>(kernel) = config_.kernel;
  kernel.threads = false;  // the first thread alone, as the real kernel
}

std::unique_ptr<Hardware> BglModel::build(const BuildRequest& request, JobDirectory& directory,
                                          OutputSink& output) const {
  BglConfig config = config_;
  if (const unsigned line = config.chip.core.memory.l1_line; request.check_coherence && line != kCheckedLine)
    throw ConfigurationError("\"check_coherence\" needs lines of " + std::to_string(kCheckedLine) +
                             " bytes: cache.l1_line is " + std::to_string(line));
  config.chip.core = core_of_mode(config.chip.core, request.mode);
  config.chip.core.park = request.park;
  config.chip.check_coherence = request.check_coherence;
  return std::make_unique<BglHardware>(config, request, directory, output);
}

std::unique_ptr<rtl::UnitSet> BglModel::replace_units(const rtl::UnitsRequest& request,
                                                      AnyTorusNetwork& network) const {
  auto* const torus = dynamic_cast<TorusNetwork*>(&network);
  if (torus == nullptr)
    throw ConfigurationError("units in Verilog have the pins of routers of family " +
                             std::string(BlueGeneLpFamily::kName) +
                             " with 3 dimensions; those of other families have none (" + kWhatCanBeChanged + ")");
  return std::make_unique<rtl::Units>(request, *torus, nullptr);
}

std::unique_ptr<MachineModel> make_bgl_model(const MachineDescription& description) {
  return std::make_unique<BglModel>(describe(description.parameters), description.modes);
}

void visit_bgl_parameters(ParameterVisitor& visitor) {
  BglConfig{}.visit_parameters(visitor);
}

}  // namespace toroid
