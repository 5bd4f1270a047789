// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgp/personality.h"

namespace toroid {

class Process;
class TreeRouter;

/// What a node's kernel knows of its machine beside what it tells every process.
struct NodeFacts {
  std::uint32_t node = 0;  ///< number of it
  std::uint32_t compute_nodes = 0;
  std::uint32_t processing_sets = 0;
  std::uint32_t set_size = 0;        ///< compute nodes of its processing set
  std::uint32_t rank_in_set = 0;     ///< they are numbered in the order of their numbers in the machine
  const TreeRouter* tree = nullptr;  ///< the node's, which knows the classes of packets
};

using Personality = std::array<std::uint8_t, BGP_PERSONALITY_BYTES>;

/// The personality of a node as `process` gets it, in bytes of the machine.
Personality personality_of(Process& process, const NodeFacts& facts);

}  // namespace toroid
