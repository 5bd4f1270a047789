// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "torus/rtl/waves.h"

namespace toroid::rtl {

/// The requested units in Verilog of a machine, and the signals to record.
struct UnitsRequest {
  /// Each UNIT@WHERE, for example router@x,y,z or router@all; the machine defines the units.
  std::vector<std::string> units;
  std::optional<WavesRequest> waves;
};

/// Counters of the units in Verilog.
struct UnitReport {
  std::string name;
  std::uint64_t clock_cycles = 0;
  std::uint64_t changed_bytes = 0;
};

/// Units in Verilog in a machine's networks.
class UnitSet {
 public:
  virtual ~UnitSet() = default;

  /// The fault that ended the run, if any; see RtlRun.
  virtual const std::optional<std::string>& fault() const = 0;
  virtual void on_fault(std::function<void()> call) = 0;

  virtual std::vector<UnitReport> report() const = 0;
};

}  // namespace toroid::rtl
