// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "torus/base/wheel.h"
#include "torus/rtl/unit.h"

namespace toroid::rtl {

/// An adapter's clock: turns the wheel's cycles into clock edges of the unit behind it, while it has something to do.
///
/// Edge c samples the inputs of cycle c. What happens in a cycle happens in any order, so the edge of a cycle is
/// executed when the wheel is past it: before anything else is done to the unit in a later cycle, at the latest in the
/// next. An adapter calls catch_up(), then changes the inputs of the present cycle, then calls go_on().
class ClockedUnit : public RtlUnit, public WheelUnit {
 public:
  ClockedUnit(std::string name, RtlRun& run) : RtlUnit(std::move(name), run), wheel_(run.wheel()) {}

  void on_event(std::uint32_t what, std::uint32_t arg) override;

 protected:
  Cycle now() const { return wheel_.now(); }
  /// Executes the edges of all cycles before the present one.
  void catch_up();
  /// Has the edge of the present cycle executed, where there is something to do.
  void go_on();

  /// Whether the edge of the present cycle, and those after it, would do nothing until new inputs come.
  virtual bool quiet() const = 0;
  /// The clock edge of `cycle`. Throws RtlFault.
  virtual void clock(Cycle cycle) = 0;

 private:
  Wheel& wheel_;
  Cycle next_edge_ = 0;
  bool ticking_ = false;  ///< an event of ours is on the wheel
};

}  // namespace toroid::rtl
