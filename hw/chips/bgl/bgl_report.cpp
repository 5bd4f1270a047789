// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_report.h"

#include <algorithm>
#include <vector>

#include "hw/chips/bgl/bgl_hardware.h"
#include "hw/chips/bgl/coherence_report.h"
#include "hw/io/tree/io_packet.h"
#include "hw/machine/sections.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kProgramVc = 0;  // of the tree; the other is the kernel's

/// Packets of programs that were not received when all processes have ended; before that, packets are in flight.
std::vector<TreeLeftOver> left_over(const BglHardware& machine, Ending ending) {
  std::vector<TreeLeftOver> all;
  if (ending != Ending::completed) return all;
  for (const auto& chip : machine.chips()) {
    if (chip == nullptr) continue;
    for (const TreeLeftOver& left : chip->tree().left_over(kProgramVc)) all.push_back(left);
  }
  for (const TreeLeftOver& left : tree_left_over(machine.tree(), kProgramVc)) all.push_back(left);
  return all;
}

Json left_over_section(const TreeTopology& topology, const std::vector<TreeLeftOver>& all) {
  Json section = Json::array();
  for (const TreeLeftOver& left : all) {
    const bool known = left.where != TreeLeftOver::Where::link;
    section.push_back({{"where", name_of(left.where)},
                       {"node", known ? Json(left.node) : Json(nullptr)},
                       {"class", known ? Json(left.route_class) : Json(nullptr)},
                       {"packets", left.packets},
                       {"text", tree_left_over_text(topology, left)}});
  }
  return section;
}

/// Packets of programs are those of virtual channel 0: a broadcast or a result counts at each node that receives it.
Json tree_section(const BglHardware& machine, const std::vector<TreeLeftOver>& left_over) {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t io = 0;
  for (const auto& chip : machine.chips()) {
    if (chip == nullptr) continue;
    const TreeFifoCounters& counters = chip->tree().counters();
    injected += counters.packets_injected[kProgramVc];
    delivered += counters.packets_received[kProgramVc];
    io += counters.packets_injected[kIoVc];
  }
  for (const auto& io_node : machine.io().nodes()) io += io_node->traffic().reply_packets;
  const TreeLinkCounters links = machine.tree().links();
  return {{"packets_injected", injected},
          {"packets_delivered", delivered},
          {"io_packets", io},
          {"packet_hops", machine.tree().hops()},
          {"damaged_frames", links.damaged},
          {"nacks", links.nacks},
          {"nack_timeouts", links.timeouts},
          {"retransmissions", links.retransmissions},
          {"left_over", left_over_section(machine.tree().topology(), left_over)}};
}

Json io_nodes_section(const BglHardware& machine) {
  Json section = Json::array();
  for (const auto& io_node : machine.io().nodes()) {
    Json object = {{"tree_address", io_node->node()}, {"ranks", machine.io().ranks_of(io_node->node())}};
    object.update(io_section(io_node->traffic()));
    object["longest_queue"] = io_node->longest_queue();
    object["busy_ns"] = time_of(io_node->busy_cycles(), machine.config().torus.clock_mhz).value() / 1000;
    section.push_back(std::move(object));
  }
  return section;
}

}  // namespace

MachineReport bgl_report(const BglHardware& machine, const Job& job, Ending ending) {
  MachineReport report;
  report.sections["coherence"] = nullptr;
  if (machine.config().chip.check_coherence) {
    const std::vector<std::string> found = coherence_report(machine, job);
    report.sections["coherence"] = found;
    if (!found.empty()) report.wrong = std::to_string(found.size()) + " coherence errors: " + found.front();
  }
  report.sections["network"] =
      network_section(machine.torus(), cycle_begun(sc_core::sc_time_stamp(), machine.config().torus.clock_mhz));
  const std::vector<TreeLeftOver> left = left_over(machine, ending);
  report.sections["tree"] = tree_section(machine, left);
  report.sections["io_nodes"] = io_nodes_section(machine);
  if (!report.wrong && !left.empty()) {
    report.wrong = "packets were left in the tree and not received: " +
                   tree_left_over_text(machine.tree().topology(), left.front()) + (left.size() > 1 ? ", and more" : "");
  }
  return report;
}

}  // namespace toroid
