// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torus/tree/network.h"

namespace toroid {

/// Why a packet at the head of a queue of the tree does not move.
struct TreeWaiting {
  enum class Why {
    contribution,    ///< the node's own processor has presented no packet of the class
    mismatch,        ///< another source of the class presents a packet that does not fit: class, opcode, operand size
    no_class,        ///< the class's descriptor at the node has no target for it
    reception_full,  ///< the processor does not read its reception FIFO
    circle,          ///< sources of the class wait for each other: the descriptors form a cycle
  };
  Why why = Why::contribution;
  std::uint32_t node = 0;
  unsigned vc = 0;
  unsigned route_class = 0;
  /// mismatch, no_class and circle: the port of the packet, and the port of the packet that does not fit.
  unsigned port = 0;
  unsigned other_port = 0;
  unsigned other_class = 0;
  std::uint32_t held_up = 0;  ///< contribution, reception_full: heads of queues found waiting for it, in the whole tree
};

/// The causes of all waits in the tree: the places where a wait originates, not those that wait behind them. Ordered by
/// node. Never empty while the head of a queue waits for another packet or for its reception FIFO.
std::vector<TreeWaiting> tree_waiting(const TreeNetwork& network);

/// The same as text, one line for each, at most `lines` lines, and the number of those left out.
std::string tree_stuck_text(const TreeNetwork& network, unsigned lines = 32);

}  // namespace toroid
