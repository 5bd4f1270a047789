// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace toroid::rtl {

/// A unit in Verilog has done what it must not: an assertion of its own has failed, or it broke the rules of its pins.
///
/// All of it is in this header: it is thrown by libtoroid_rtl.so, which needs nothing of those who load it, and caught
/// by them.
class RtlFault : public std::runtime_error {
 public:
  explicit RtlFault(const std::string& what) : std::runtime_error(what) {}

  /// The same, told by somebody who knows which unit it was, and when.
  RtlFault(const std::string& unit, const std::string& what) : std::runtime_error(unit + ": " + what) {}
};

}  // namespace toroid::rtl
