// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/bgl_diagnosis.h"

#include <cstdint>
#include <vector>

#include "hw/chips/bgl/bgl_hardware.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/tree/stuck_report.h"

namespace toroid {
namespace {

template <typename Network>
std::string unmoved(const Network& network, const char* name) {
  return std::to_string(network.in_flight()) + " packets in the " + name + " have not moved since network cycle " +
         std::to_string(network.progress().last_move().count());
}

/// Of a channel that some nodes have fired, those who have not; empty if there are none.
std::string barrier_text(const BglHardware& machine, unsigned channel) {
  constexpr unsigned kMostNodes = 8;
  std::vector<std::uint32_t> missing;
  unsigned fired = 0;
  for (std::uint32_t node = 0; node < machine.chips().size(); ++node) {
    const BglChip* const chip = machine.chips()[node].get();
    if (chip == nullptr) continue;
    if (chip->global_interrupts().fired(channel)) {
      ++fired;
    } else {
      missing.push_back(node);
    }
  }
  if (fired == 0 || missing.empty()) return "";
  std::string text = "  global interrupt channel " + std::to_string(channel) + ": " + std::to_string(fired) +
                     (fired == 1 ? " node waits" : " nodes wait") + "; not raised by node";
  for (std::size_t i = 0; i < missing.size() && i < kMostNodes; ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(missing[i]);
  if (missing.size() > kMostNodes) text += " and " + std::to_string(missing.size() - kMostNodes) + " more";
  return text + "\n";
}

}  // namespace

std::string bgl_unmoved_text(const BglHardware& machine) {
  return machine.torus().in_flight() == 0 ? unmoved(machine.tree(), "tree") : unmoved(machine.torus(), "network");
}

std::string bgl_held_up_text(const BglHardware& machine, Ending ending) {
  std::string text;
  // Where time ran out the torus may be busy as ever; the tree holds few packets and says at once who is missing.
  if (ending == Ending::stuck && machine.torus().in_flight() != 0) text += stuck_report(machine.torus()).text();
  if (machine.tree().in_flight() != 0) text += tree_stuck_text(machine.tree());
  for (unsigned channel = 0; channel < GlobalInterruptDevice::kChannels; ++channel)
    text += barrier_text(machine, channel);
  return text;
}

}  // namespace toroid
