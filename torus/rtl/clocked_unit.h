// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "torus/base/wheel.h"
#include "torus/rtl/unit.h"

namespace toroid::rtl {

/// An adapter's clock: converts the wheel's cycles to clock edges of its unit while the unit is not idle.
///
/// Edge c samples the inputs of cycle c. The events of a cycle happen in any order, so the edge of a cycle is executed
/// when the wheel has passed it: before anything else is done to the unit in a later cycle, at the latest in the next
/// cycle. An adapter calls catch_up(), then changes the inputs of the present cycle, then calls go_on().
class ClockedUnit : public RtlUnit, public WheelUnit {
 public:
  ClockedUnit(std::string name, RtlRun& run) : RtlUnit(std::move(name), run), wheel_(run.wheel()) {}

  void on_event(std::uint32_t what, std::uint32_t arg) override;

 protected:
  Cycle now() const { return wheel_.now(); }
  /// Executes the edges of all cycles before the present one.
  void catch_up();
  /// Schedules the edge of the present cycle, unless the unit is idle.
  void go_on();

  /// Whether the edge of the present cycle and later ones would have no effect until new inputs arrive.
  virtual bool quiet() const = 0;
  /// The clock edge of `cycle`. Throws RtlFault.
  virtual void clock(Cycle cycle) = 0;

 private:
  Wheel& wheel_;
  Cycle next_edge_ = 0;
  bool ticking_ = false;  ///< an event of this object is on the wheel
};

}  // namespace toroid::rtl
