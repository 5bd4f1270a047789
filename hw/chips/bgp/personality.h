// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgp/personality.h"

namespace toroid {

class Process;

/// What a node's kernel knows of its machine beside what it tells every process.
struct NodeFacts {
  std::uint32_t node = 0;               ///< number of it
  std::uint32_t nodes_per_io_node = 0;  ///< of the machine
  std::uint32_t compute_nodes = 0;
  std::uint32_t shared_mb = 0;  ///< shared memory of the node's processes
  std::array<std::uint16_t, 16> tree_classes{};
};

using Personality = std::array<std::uint8_t, BGP_PERSONALITY_BYTES>;

/// The personality of a node as `process` gets it, in bytes of the machine.
Personality personality_of(Process& process, const NodeFacts& facts);

}  // namespace toroid
