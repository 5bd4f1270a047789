// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace toroid::rtl {

/// A fault of a unit in Verilog: one of its assertions has failed, or it violated the rules of its pins.
///
/// Defined completely in this header: libtoroid_rtl.so, which must not depend on the program that loads it, throws it,
/// and that program catches it.
class RtlFault : public std::runtime_error {
 public:
  explicit RtlFault(const std::string& what) : std::runtime_error(what) {}

  /// The same, with the unit's name and the cycle.
  RtlFault(const std::string& unit, const std::string& what) : std::runtime_error(unit + ": " + what) {}
};

}  // namespace toroid::rtl
