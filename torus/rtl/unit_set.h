// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "torus/rtl/waves.h"

namespace toroid::rtl {

/// Which units of a machine are to be Verilog, and what is recorded of them.
struct UnitsRequest {
  /// UNIT@WHERE each, for example router@x,y,z or router@all: which units there are is the machine's affair.
  std::vector<std::string> units;
  std::optional<WavesRequest> waves;
};

/// What units in Verilog have done.
struct UnitReport {
  std::string name;
  std::uint64_t clock_cycles = 0;
  std::uint64_t changed_bytes = 0;
};

/// Units in Verilog in a machine's networks.
class UnitSet {
 public:
  virtual ~UnitSet() = default;

  /// Why they cannot go on, or nothing; see RtlRun.
  virtual const std::optional<std::string>& fault() const = 0;
  virtual void on_fault(std::function<void()> call) = 0;

  virtual std::vector<UnitReport> report() const = 0;
};

}  // namespace toroid::rtl
