// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/torus_tree/held_up.h"

#include <cstdint>

namespace toroid {
namespace {

template <typename Network>
std::string unmoved(const Network& network, const char* name) {
  return std::to_string(network.in_flight()) + " packets in the " + name + " have not moved since network cycle " +
         std::to_string(network.progress().last_move().count());
}

std::string barrier_text(const std::vector<const GlobalInterruptChannels*>& nodes, unsigned channel) {
  constexpr unsigned kMostNodes = 8;
  std::vector<std::uint32_t> missing;
  unsigned fired = 0;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node] == nullptr) continue;
    if (nodes[node]->fired(channel)) {
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

std::string unmoved_text(const AnyTorusNetwork& torus, const TreeNetwork& tree) {
  return torus.in_flight() == 0 ? unmoved(tree, "tree") : unmoved(torus, "network");
}

std::string barrier_text(const std::vector<const GlobalInterruptChannels*>& nodes) {
  std::string text;
  for (unsigned channel = 0; channel < GlobalInterruptChannels::kChannels; ++channel)
    text += barrier_text(nodes, channel);
  return text;
}

}  // namespace toroid
