// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

struct NodeMemoryConfig {
  std::uint64_t bytes;
  std::uint64_t most_mib = 2048;  ///< that the chip's memory can have
  double bytes_per_cycle;         ///< core cycles; what bus masters share (memory_arbiter.h)

  void visit_parameters(ParameterVisitor& visitor) {
    visitor.count(bytes, "node.memory_size", "MiB", {16, most_mib}, "memory of a node", 1u << 20);
    visitor.number(bytes_per_cycle, "memory.bandwidth", "bytes/cycle", {0.001, 1e6},
                   "core cycles; what devices that read and write memory themselves share");
  }
};

}  // namespace toroid
