// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/memory_config.h"
#include "hw/isa/isa.h"
#include "torus/base/parameter.h"
#include "torus/base/time.h"

namespace toroid {

/// What an access to a device costs, in core cycles.
struct DeviceCost {
  CoreCycle read_latency;  ///< from a load's issue to its return
  CoreCycle write;         ///< of a store of any size

  void visit_parameters(ParameterVisitor& visitor, const char* read_name, const char* write_name);
};

/// What a core costs. Values and sources: the sections core, cache and device of hw/machines/*.yaml.
struct CoreConfig {
  unsigned clock_mhz;
  CoreCycle quantum;  ///< how far a core runs ahead of SystemC's time, in core cycles; does not change results

  bool pipeline;                        ///< `isa` has been told: otherwise each instruction takes one cycle
  std::shared_ptr<const Isa> isa;       ///< what it executes, and the timing of its pipelines
  std::uint32_t processor_version = 0;  ///< what a program reads of it
  MemoryConfig memory;

  /// Loads of devices in flight, 1 to kMaxOutstandingReads. What each costs is its window's (Core::add_device).
  unsigned outstanding_reads;

  unsigned threads = 1;  ///< of its processor, that share what it can issue with it: 1 to IssueGroup::kMostThreads

  unsigned reservation_bytes = 0;  ///< ReservationConfig::bytes

  bool park = true;  ///< park a core that polls unchanged devices; results are the same either way

  void visit_parameters(ParameterVisitor& visitor);
  /// What a run's times leave out, for people: "cache misses".
  std::vector<std::string> not_modelled() const;
};

inline constexpr unsigned kMaxOutstandingReads = 16;

}  // namespace toroid
