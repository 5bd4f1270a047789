// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_hardware.h"

#include <nlohmann/json.hpp>
#include <string>

#include "hw/chips/bgl/coherence_report.h"
#include "hw/trace/network_metadata.h"
#include "nic/bgl/kernel_services.h"
#include "nic/bgl/rtl/units.h"

namespace toroid {

BglHardware::BglHardware(const BglConfig& config, const BuildRequest& request, JobDirectory& directory,
                         OutputSink& output)
    : TorusTreeHardware(config, request), config_(config), chips_(request.topology.nodes()) {
  for (const std::uint32_t node : request.nodes) {
    const std::string name = "node" + std::to_string(node);
    chips_[node] =
        std::make_unique<BglChip>(name.c_str(), config_.chip, torus_, tree_, global_interrupts_, node, clock_);
  }
  complete(config_, request, {TOROID_TREE_CLASS_REDUCTION, TOROID_TREE_CLASS_BROADCAST}, directory, output);
}

MachineReport BglHardware::report(const Job& job, Ending ending) const {
  MachineReport report;
  report.sections["coherence"] = nullptr;
  if (config_.chip.check_coherence) {
    const std::vector<std::string> found = coherence_report(*this, job);
    report.sections["coherence"] = found;
    if (!found.empty()) report.wrong = std::to_string(found.size()) + " coherence errors: " + found.front();
  }
  report_torus(report);
  report_tree(report, ending);
  return report;
}

void BglHardware::describe_trace(nlohmann::ordered_json& metadata) const {
  metadata["network_mhz"] = torus_.config().clock_mhz;
  metadata["torus"] = torus_metadata(torus_, TorusHeader::software_port);
  metadata["tree"] = tree_metadata(tree_);
}

std::unique_ptr<NetworkTrace> BglHardware::record(trace::Writer& writer, bool contents) {
  return std::make_unique<TorusAndTreeTrace>(torus_, tree_, writer, contents);
}

std::unique_ptr<rtl::UnitSet> BglHardware::replace_units(const rtl::UnitsRequest& request) {
  return std::make_unique<rtl::Units>(request, torus_, &tree_);
}

}  // namespace toroid
