// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace toroid {

/// Which priority an arbiter of the DMA looks at first: the high one, unless the repeat counts of the control registers
/// let the normal one have its turn behind so many packets.
class ServiceOrder {
 public:
  /// The priorities (1 high, 0 normal) in the order in which to look.
  std::array<unsigned, 2> priorities() const { return {favoured_, 1 - favoured_}; }

  /// A packet of `priority` was taken. `high_repeat` 0: high priority always comes first.
  void took(unsigned priority, unsigned high_repeat, unsigned normal_repeat) {
    if (high_repeat == 0) {
      favoured_ = 1;
      taken_ = 0;
      return;
    }
    if (priority != favoured_) return;
    const unsigned repeat = favoured_ == 1 ? high_repeat : normal_repeat;
    if (++taken_ < repeat) return;
    favoured_ = 1 - favoured_;
    taken_ = 0;
  }

 private:
  unsigned favoured_ = 1;
  unsigned taken_ = 0;  ///< of the favoured one in this turn
};

}  // namespace toroid
