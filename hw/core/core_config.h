// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw/core/memory_config.h"
#include "hw/isa/isa.h"
#include "torus/base/time.h"

namespace toroid {

/// What a core costs. Names, values and sources: the `core` and `device` parts of hw/machines/*.yaml.
struct CoreConfig {
  unsigned clock_mhz = 700;
  CoreCycle quantum = 10'000;  ///< how far a core runs ahead of SystemC's time, in core cycles; does not change results

  std::shared_ptr<const Isa> isa;  ///< what it executes, and the timing of its pipelines
  MemoryConfig memory;

  /// Loads of devices in flight, 1 to kMaxOutstandingReads. What each costs is its window's (Core::add_device).
  unsigned outstanding_reads = 4;

  bool park = true;  ///< park a core that polls unchanged devices; results are the same either way
};

inline constexpr unsigned kMaxOutstandingReads = 16;

}  // namespace toroid
