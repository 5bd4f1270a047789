// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toroid::rtl {

/// Signals of RTL units over simulated time, in one file.
///
/// The column of cycle c, from its clock edge on, shows the inputs that the edge samples and the outputs that it
/// leaves: what router_pins.h calls those of cycle c. The clock falls half a cycle later. Cycles in which no unit has
/// anything to do have no column.
class Waves {
 public:
  virtual ~Waves() = default;
  /// A unit is about to execute the clock edge of `cycle`: before its inputs change. Edges come in the order of their
  /// cycles; those of units that are not recorded do no harm.
  virtual void edge(std::uint64_t cycle) = 0;
  /// Writes the rest. Nothing is recorded from then on; closing twice is once too often but does no harm.
  virtual void close() = 0;
};

/// What is recorded, and where.
struct WavesRequest {
  static constexpr std::uint64_t kToTheEnd = ~std::uint64_t{0};

  std::string file;
  /// Units, or scopes below them, of whose paths the last parts suffice: "router@0,0,0", "router@0,0,0.arbiter" for
  /// all its arbiters; empty: all units.
  std::vector<std::string> scopes;
  std::uint64_t from_ps = 0;
  std::uint64_t to_ps = kToTheEnd;
};

}  // namespace toroid::rtl
