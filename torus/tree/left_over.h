// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torus/tree/network.h"

namespace toroid {

/// Packets of one class that remain in the tree at the end of a job, when no process will receive them.
struct TreeLeftOver {
  enum class Where {
    injection,  ///< the node's injection FIFO: partly written
    router,     ///< the node's router: waits for other packets, or for room
    link,       ///< in flight: no node or class is known
    reception,  ///< the node's reception FIFO: not read
  };
  Where where = Where::reception;
  std::uint32_t node = 0;
  unsigned route_class = 0;
  std::uint64_t packets = 0;
};

std::string name_of(TreeLeftOver::Where where);

/// Those of `vc` in routers and on links. By node and class.
std::vector<TreeLeftOver> tree_left_over(const TreeNetwork& network, unsigned vc);

/// "tree node 3, class 1: 2 packets in its reception FIFO".
std::string tree_left_over_text(const TreeTopology& tree, const TreeLeftOver& left);

}  // namespace toroid
