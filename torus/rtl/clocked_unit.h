// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "torus/rtl/fault.h"
#include "torus/wheel.h"

namespace toroid::rtl {

class Waves;

/// What adapters share with each other.
struct Surroundings {
  Waves* waves = nullptr;  ///< told of each clock edge
  /// Told of a unit's fault, once for each unit, from within the wheel; the unit is not clocked again. Empty: the fault
  /// is thrown.
  std::function<void(const RtlFault&)> on_fault;
};

/// An adapter's clock: turns the wheel's cycles into clock edges of the unit behind it, while it has something to do.
///
/// Edge c samples the inputs of cycle c. What happens in a cycle happens in any order, so the edge of a cycle is
/// executed when the wheel is past it: before anything else is done to the unit in a later cycle, at the latest in the
/// next. An adapter calls catch_up(), then changes the inputs of the present cycle, then calls go_on().
class ClockedUnit : public WheelUnit {
 public:
  ClockedUnit(Wheel& wheel, std::string name, const Surroundings& surroundings)
      : wheel_(wheel), name_(std::move(name)), surroundings_(surroundings) {}
  virtual ~ClockedUnit() = default;
  ClockedUnit(const ClockedUnit&) = delete;
  ClockedUnit& operator=(const ClockedUnit&) = delete;

  /// As the user names it: "router@0,0,0".
  const std::string& name() const { return name_; }
  /// Clock edges executed.
  std::uint64_t clocks() const { return clocks_; }

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
  virtual void edge(Cycle cycle) = 0;

 private:
  Wheel& wheel_;
  const std::string name_;
  const Surroundings& surroundings_;
  Cycle next_edge_ = 0;
  std::uint64_t clocks_ = 0;
  bool ticking_ = false;  ///< an event of ours is on the wheel
  bool dead_ = false;     ///< after a fault
};

}  // namespace toroid::rtl
