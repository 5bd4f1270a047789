// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_report.h"

#include <string>
#include <vector>

#include "hw/chips/bgp/bgp_hardware.h"
#include "hw/machine/sections.h"
#include "hw/machine/tree_sections.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

std::vector<const TreeFifoDevice*> tree_devices(const BgpHardware& machine) {
  std::vector<const TreeFifoDevice*> devices;
  for (const auto& chip : machine.chips()) {
    if (chip != nullptr) devices.push_back(&chip->tree());
  }
  return devices;
}

}  // namespace

MachineReport bgp_report(const BgpHardware& machine, Ending ending) {
  const unsigned clock_mhz = machine.config().torus.clock_mhz;
  MachineReport report;
  report.sections["coherence"] = nullptr;  // caches are coherent
  report.sections["network"] = network_section(machine.torus(), cycle_begun(sc_core::sc_time_stamp(), clock_mhz));
  const TreeSections tree(machine.tree(), tree_devices(machine), machine.io(), ending);
  report.sections["tree"] = tree.tree();
  report.sections["io_nodes"] = tree.io_nodes(clock_mhz);
  if (const std::string left = tree.left_over_text(); !report.wrong && !left.empty()) report.wrong = left;
  return report;
}

}  // namespace toroid
