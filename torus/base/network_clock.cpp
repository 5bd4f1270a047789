// SPDX-License-Identifier: Apache-2.0
#include "torus/base/network_clock.h"

#include <algorithm>

namespace toroid {

NetworkClock::NetworkClock(const sc_core::sc_module_name& name, Wheel& wheel, unsigned mhz)
    : sc_module(name), wheel_(wheel), mhz_(mhz), wake_("wake") {
  SC_HAS_PROCESS(NetworkClock);
  SC_METHOD(step);
  sensitive << wake_;
  wheel_.set_driver(this);
}

NetworkClock::~NetworkClock() {
  wheel_.set_driver(nullptr);
}

sc_core::sc_time NetworkClock::delay_to(Cycle cycle) const {
  const sc_core::sc_time at = time_of(cycle);
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return at > now ? at - now : sc_core::SC_ZERO_TIME;
}

void NetworkClock::sync_to(Cycle cycle) {
  if (cycle > wheel_.now() && !stop_requested_) wheel_.run_until(std::min(cycle, limit_));
}

void NetworkClock::stop_at(Cycle cycle) {
  limit_ = cycle;
  if (cycle != kNever) wake_.notify(delay_to(cycle));
}

void NetworkClock::request_stop() {
  stop_requested_ = true;
  wheel_.hold(wheel_.now());
  wake_.notify(delay_to(wheel_.now()));
}

/// An earlier notification stands, so the process wakes for the earliest event there is.
void NetworkClock::posted(Cycle at) {
  wake_.notify(delay_to(at));
}

void NetworkClock::step() {
  if (stopped_) return;
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  if (!stop_requested_) {
    // What the next pending activity does to the network comes after the last cycle begun by its time.
    Cycle until = cycle_begun(now, mhz_);
    if (!sc_core::sc_pending_activity_at_current_time()) {
      const sc_core::sc_time gap = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
      until = std::min(until + kRunAhead, cycle_begun(now + gap, mhz_));
    }
    until = std::min(until, limit_);
    if (wheel_.next() <= until) wheel_.run_events(until);
  }
  if (stop_requested_ ? time_of(wheel_.now()) <= now : cycle_begun(now, mhz_) >= limit_) {
    finish();
    return;
  }
  // SystemC's time follows the wheel, also past its last event: the end of the run is the network's.
  const Cycle next = stop_requested_ ? kNever : std::min(wheel_.next(), limit_);
  if (next != kNever) {
    wake_.notify(delay_to(next));
  } else if (time_of(wheel_.now()) > now) {
    wake_.notify(delay_to(wheel_.now()));
  }
}

void NetworkClock::finish() {
  if (!stop_requested_) sync_to(limit_);
  stopped_ = true;
  sc_core::sc_stop();
}

}  // namespace toroid
