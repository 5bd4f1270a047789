// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "torus/base/clock.h"
#include "torus/base/wheel.h"

namespace toroid {

/// Drives a wheel from SystemC: one process for the whole network.
///
/// The process runs the wheel ahead as far as SystemC's next pending activity, because nothing outside the wheel can
/// act before that; but no more than kRunAhead cycles past SystemC's time, so that an sc_start() of limited duration
/// ends near its end. A unit on the wheel that wakes something outside at cycle c calls wheel.hold(c) and notifies an
/// sc_event for time_of(c), so that the wheel waits there. Whatever acts at its own time T first calls
/// sync_to(last cycle begun at T) and posts to later cycles only; so results do not depend on the order in which
/// SystemC runs its processes.
class NetworkClock : public sc_core::sc_module, private WheelDriver {
 public:
  NetworkClock(const sc_core::sc_module_name& name, Wheel& wheel, unsigned mhz);
  ~NetworkClock() override;

  Wheel& wheel() { return wheel_; }
  unsigned mhz() const { return mhz_; }
  /// The time at which `cycle` begins, and the delay from SystemC's present to it (0 when it has begun).
  sc_core::sc_time time_of(Cycle cycle) const { return toroid::time_of(cycle, mhz_); }
  sc_core::sc_time delay_to(Cycle cycle) const;

  /// Runs the network through all cycles up to `cycle`. Not to be called from the wheel.
  void sync_to(Cycle cycle);
  /// The same up to a local time (sc_time_stamp() + delay): the last cycle begun by then.
  void sync_to(const sc_core::sc_time& time) { sync_to(cycle_begun(time, mhz_)); }

  /// The same up to SystemC's present and `delay`, without waiting for that time to come: if nothing outside the wheel
  /// can act until then. Returns false if something can, or if the network could not be run as far: then it is as if
  /// this had not been called, and the caller has to wait.
  bool run_alone(const sc_core::sc_time& delay);

  /// Ends the simulation (sc_stop) when the network reaches `cycle`; kNever for no limit.
  void stop_at(Cycle cycle);
  /// Ends the simulation at the cycle that runs, or now: for units that find the end of a run. The wheel goes no
  /// further.
  void request_stop();
  bool stopped() const { return stopped_; }

 private:
  static constexpr Cycle kRunAhead = 4096;

  void posted(Cycle at) override;
  void step();
  /// Lets step() run after `delay`, or earlier if it was to run earlier.
  void wake_after(const sc_core::sc_time& delay);
  /// For the next event, or for SystemC's time to come up to the wheel's.
  void wake_for_next();
  void finish();

  Wheel& wheel_;
  const unsigned mhz_;
  Cycle limit_ = kNever;
  bool stop_requested_ = false;
  bool stopped_ = false;
  sc_core::sc_event wake_;
  sc_core::sc_time wake_at_ = sc_core::sc_max_time();  ///< that it is notified for
  unsigned failures_ = 0;  ///< of run_alone() in a row, where only the wheel's own event had stood in the way
  unsigned tries_ = 0;     ///< since the last of these
};

}  // namespace toroid
