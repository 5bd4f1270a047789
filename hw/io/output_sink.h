// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace toroid {

/// Where the standard output and error of all ranks go.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  /// `descriptor` is 1 or 2. Called in the order of simulated time.
  virtual void write(std::uint32_t rank, int descriptor, std::string_view text) = 0;
};

}  // namespace toroid
