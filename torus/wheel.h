// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/packet.h"

namespace toroid {

inline constexpr Cycle kNever = ~Cycle{0};

/// Something the wheel calls back. `what` and `arg` are the poster's own.
class WheelUnit {
 public:
  virtual void on_event(std::uint32_t what, std::uint32_t arg) = 0;

 protected:
  ~WheelUnit() = default;
};

/// The timing wheel that all units of one network clock share. Events of one cycle run in the order they were posted.
class Wheel {
 public:
  /// The cycle that is running, or the last one that ran.
  Cycle now() const;
  /// Calls `unit.on_event(what, arg)` in cycle `at`; `at` must be later than now().
  void post(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg);
  /// The earliest cycle with an event, or kNever.
  Cycle next() const;
  /// Runs every cycle up to and including `limit`; afterwards now() == limit unless hold() ended it earlier.
  void run_until(Cycle limit);
  /// Ends the run_until in progress after cycle `at` (>= now()): something outside the wheel must act then.
  void hold(Cycle at);
};

}  // namespace toroid
