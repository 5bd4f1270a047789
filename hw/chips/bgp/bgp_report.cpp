// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/bgp_report.h"

#include <nlohmann/json.hpp>
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

/// What all DMA engines have done.
nlohmann::ordered_json dma_section(const BgpHardware& machine) {
  DmaCounters sum;
  for (const auto& chip : machine.chips()) {
    if (chip != nullptr) sum += chip->dma().counters();
  }
  return {{"descriptors", sum.descriptors},
          {"messages", sum.messages},
          {"packets_injected", sum.packets_injected},
          {"packets_received", sum.packets_received},
          {"packets_local", sum.packets_local},
          {"bytes_read", sum.bytes_read},
          {"bytes_written", sum.bytes_written},
          {"remote_gets", sum.remote_gets},
          {"waits_for_fifo", sum.waits_for_fifo},
          {"counter_errors", sum.counter_errors},
          {"refused", sum.refused},
          {"bad_access", sum.bad_access}};
}

}  // namespace

MachineReport bgp_report(const BgpHardware& machine, Ending ending) {
  const unsigned clock_mhz = machine.config().torus.clock_mhz;
  MachineReport report;
  report.sections["coherence"] = nullptr;  // caches are coherent
  report.sections["network"] = network_section(machine.torus(), cycle_begun(sc_core::sc_time_stamp(), clock_mhz));
  report.sections["dma"] = dma_section(machine);
  const TreeSections tree(machine.tree(), tree_devices(machine), machine.io(), ending);
  report.sections["tree"] = tree.tree();
  report.sections["io_nodes"] = tree.io_nodes(clock_mhz);
  if (const std::string left = tree.left_over_text(); !report.wrong && !left.empty()) report.wrong = left;
  return report;
}

}  // namespace toroid
