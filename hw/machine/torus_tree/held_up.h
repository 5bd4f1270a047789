// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw/machine/ending.h"
#include "nic/collective/global_interrupt_channels.h"
#include "torus/torus/network.h"
#include "torus/torus/stuck_report.h"
#include "torus/tree/network.h"
#include "torus/tree/stuck_report.h"

namespace toroid {

// Of machines with a torus, a tree and global interrupts: what waits where in a run that cannot go on.

/// Since when nothing has moved in the torus, or in the tree if the torus is empty. One line.
std::string unmoved_text(const AnyTorusNetwork& torus, const TreeNetwork& tree);

/// For each channel that some nodes have fired: which nodes have not. By node; nullptr where no process runs.
std::string barrier_text(const std::vector<const GlobalInterruptChannels*>& nodes);

/// The packets that wait in both networks, and barrier_text(). `torus` is of any router family.
template <typename Torus>
std::string held_up_text(const Torus& torus, const TreeNetwork& tree,
                         const std::vector<const GlobalInterruptChannels*>& nodes, Ending ending) {
  std::string text;
  // Where time ran out the torus may be busy as ever; the tree holds few packets and says at once who is missing.
  if (ending == Ending::stuck && torus.in_flight() != 0) text += stuck_report(torus).text();
  if (tree.in_flight() != 0) text += tree_stuck_text(tree);
  return text + barrier_text(nodes);
}

}  // namespace toroid
