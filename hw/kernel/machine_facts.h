// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/kernel/kernel_abi.h"

namespace toroid {

/// A rank's place: node coordinates, the process's number on its node, and who else has the same I/O node.
struct ProcessPlace {
  std::array<std::uint8_t, TOROID_MAX_DIMENSIONS> coordinates{};
  std::uint8_t t = 0;
  std::uint32_t processing_set = 0;
};

/// What the kernel tells a process about the machine; the same for all of them.
struct MachineFacts {
  unsigned dimensions = 3;
  std::array<std::uint32_t, TOROID_MAX_DIMENSIONS> shape{1, 1, 1, 1, 1};
  std::array<bool, TOROID_MAX_DIMENSIONS> torus{};
  std::uint32_t processes_per_node = 1;
  std::vector<ProcessPlace> ranks;  ///< by rank
};

}  // namespace toroid
