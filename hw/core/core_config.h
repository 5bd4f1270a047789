// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/packet.h"

namespace toroid {

/// What a core costs. Names, values and sources: the `core` and `device` parts of hw/machines/*.yaml.
struct CoreConfig {
  unsigned clock_mhz = 700;
  Cycle quantum = 10'000;  ///< how far a core runs ahead of SystemC's time, in core cycles; does not change results

  // Cycles an instruction of each class.
  double cost_integer = 0.75;
  double cost_load = 1;
  double cost_store = 1;
  double cost_branch = 1;
  double cost_multiply = 3;
  double cost_divide = 33;
  double cost_float = 1;
  double cost_float_divide = 30;
  double cost_system = 5;

  // Device accesses, in core cycles.
  Cycle read_latency = 51;
  unsigned outstanding_reads = 4;  ///< 1 to kMaxOutstandingReads
  Cycle write_quad = 3;            ///< of any size

  bool park = true;  ///< park a core that polls unchanged devices; results are the same either way
};

inline constexpr unsigned kMaxOutstandingReads = 16;

}  // namespace toroid
