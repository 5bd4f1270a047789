// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_report.h"

#include <string>
#include <vector>

#include "hw/chips/bgl/bgl_hardware.h"
#include "hw/chips/bgl/coherence_report.h"
#include "hw/machine/sections.h"
#include "hw/machine/tree_sections.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

std::vector<const TreeFifoDevice*> tree_devices(const BglHardware& machine) {
  std::vector<const TreeFifoDevice*> devices;
  for (const auto& chip : machine.chips()) {
    if (chip != nullptr) devices.push_back(&chip->tree());
  }
  return devices;
}

}  // namespace

MachineReport bgl_report(const BglHardware& machine, const Job& job, Ending ending) {
  const unsigned clock_mhz = machine.config().torus.clock_mhz;
  MachineReport report;
  report.sections["coherence"] = nullptr;
  if (machine.config().chip.check_coherence) {
    const std::vector<std::string> found = coherence_report(machine, job);
    report.sections["coherence"] = found;
    if (!found.empty()) report.wrong = std::to_string(found.size()) + " coherence errors: " + found.front();
  }
  report.sections["network"] = network_section(machine.torus(), cycle_begun(sc_core::sc_time_stamp(), clock_mhz));
  const TreeSections tree(machine.tree(), tree_devices(machine), machine.io(), ending);
  report.sections["tree"] = tree.tree();
  report.sections["io_nodes"] = tree.io_nodes(clock_mhz);
  if (const std::string left = tree.left_over_text(); !report.wrong && !left.empty()) report.wrong = left;
  return report;
}

}  // namespace toroid
