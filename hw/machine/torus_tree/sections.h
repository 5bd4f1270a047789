// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hw/io/tree/io_nodes.h"
#include "hw/machine/ending.h"
#include "nic/collective/tree_fifo.h"
#include "torus/tree/left_over.h"
#include "torus/tree/network.h"

namespace toroid {

/// Of machines with a tree: its sections of the result file (docs/reference/simulator_files.md).
class TreeSections {
 public:
  /// `devices` are those of the nodes that have processes. All is kept by reference.
  TreeSections(const TreeNetwork& network, std::vector<const TreeFifoDevice*> devices, const IoNodes& io,
               Ending ending);

  /// Packets of programs are those of virtual channel 0: a broadcast or a result counts at each node that receives it.
  nlohmann::ordered_json tree() const;
  nlohmann::ordered_json io_nodes(unsigned clock_mhz) const;
  /// What is wrong if packets of programs have not been received when all processes have ended; empty if none are left.
  std::string left_over_text() const;

 private:
  nlohmann::ordered_json left_over_section() const;

  const TreeNetwork& network_;
  const std::vector<const TreeFifoDevice*> devices_;
  const IoNodes& io_;
  std::vector<TreeLeftOver> left_over_;
};

}  // namespace toroid
