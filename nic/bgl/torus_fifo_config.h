// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/parameter.h"

namespace toroid {

/// Parameters of the torus FIFO device, named as in the section torus_fifo of machine descriptions.
struct TorusFifoConfig {
  /// Depth of each FIFO in chunks. Assembly passes it on to the network (TorusConfig::reception_depth), as the router's
  /// initial tokens for a reception FIFO.
  unsigned depth;

  void visit_parameters(ParameterVisitor& visitor);
};

/// Counters of the device since the start.
struct TorusFifoCounters {
  std::uint64_t packets_injected[8]{};   ///< by injection FIFO: group * 4 + FIFO
  std::uint64_t packets_received[14]{};  ///< by reception FIFO: group * 7 + FIFO
  std::uint64_t status_reads = 0;
  std::uint64_t write_full = 0;  ///< writes to a full injection FIFO
  std::uint64_t read_empty = 0;  ///< reads of an empty reception FIFO
  std::uint64_t bad_header = 0;  ///< packets refused because of their header
  std::uint64_t bad_access = 0;  ///< not a quad, wrong direction, or no register there
  std::uint64_t unknown_dcr = 0;

  std::uint64_t errors() const { return write_full + read_empty + bad_header + bad_access + unknown_dcr; }
};

}  // namespace toroid
