// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toroid::rtl {

/// Signals of RTL units over simulated time, in one file.
///
/// The column of cycle c, from its clock edge on, shows the inputs that the edge samples and the outputs that it
/// produces: those that router_pins.h assigns to cycle c. The clock falls half a cycle later. Cycles in which all units
/// are idle have no column.
class Waves {
 public:
  virtual ~Waves() = default;
  /// A unit is about to execute the clock edge of `cycle`: before its inputs change. Edges must be reported in the
  /// order of their cycles; those of units that are not recorded are ignored.
  virtual void edge(std::uint64_t cycle) = 0;
  /// Writes the rest and ends recording. A second call has no effect.
  virtual void close() = 0;
};

/// The signals to record, and the file.
struct WavesRequest {
  static constexpr std::uint64_t kToTheEnd = ~std::uint64_t{0};

  std::string file;
  /// Units, or scopes below them, identified by the last parts of their paths: "router@0,0,0", "router@0,0,0.arbiter"
  /// for all its arbiters; empty: all units.
  std::vector<std::string> scopes;
  std::uint64_t from_ps = 0;
  std::uint64_t to_ps = kToTheEnd;
};

}  // namespace toroid::rtl
