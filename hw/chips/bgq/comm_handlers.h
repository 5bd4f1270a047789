// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid {

/// What interrupts of the Messaging Unit call on a hardware thread: that of each subgroup of its core, and that of the
/// event aggregator.
struct CommHandlers {
  static constexpr unsigned kOfSubgroups = 4, kInterrupts = kOfSubgroups + 1;

  struct Handler {
    std::uint64_t function = 0;  ///< as the program points to it; 0: none
    std::array<std::uint64_t, 4> arguments{};
    bool enabled = false;
  };
  std::array<Handler, kInterrupts> handlers;

  void enable(bool enabled) {
    for (Handler& each : handlers) each.enabled = enabled && each.function != 0;
  }
};

}  // namespace toroid
