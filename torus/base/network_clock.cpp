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

namespace {

/// Whether nothing is to happen until SystemC's present and `delay`.
bool is_quiet(const sc_core::sc_time& delay) {
  return !sc_core::sc_pending_activity_at_current_time() &&
         sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext()) > delay;
}

}  // namespace

// SystemC tells only when the next activity comes, not whose it is: where it may be step(), that is taken back to see
// what comes behind it. This costs about half of what waiting costs, so it is tried ever more rarely where it is in
// vain.
bool NetworkClock::run_alone(const sc_core::sc_time& delay) {
  constexpr unsigned kRarest = 64;
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  const Cycle wanted = cycle_begun(now + delay, mhz_);
  if (stop_requested_ || wanted >= limit_ || wanted > cycle_begun(now, mhz_) + kRunAhead) return false;
  const bool quiet = is_quiet(delay);
  if (!quiet) {
    const sc_core::sc_time next = now + sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
    if (next != wake_at_ || ++tries_ < failures_) return false;
    tries_ = 0;
    wake_.cancel();
    wake_at_ = sc_core::sc_max_time();
  }
  bool alone = quiet || is_quiet(delay);
  failures_ = alone ? 0 : std::min(std::max(2 * failures_, 1u), kRarest);
  if (alone) {
    sync_to(wanted);
    // What the network has done may wake somebody.
    alone = wheel_.now() >= wanted && !stop_requested_ && is_quiet(delay);
  }
  if (!quiet) wake_for_next();
  return alone;
}

void NetworkClock::stop_at(Cycle cycle) {
  limit_ = cycle;
  if (cycle != kNever) wake_after(delay_to(cycle));
}

void NetworkClock::request_stop() {
  stop_requested_ = true;
  wheel_.hold(wheel_.now());
  wake_after(delay_to(wheel_.now()));
}

/// An earlier notification stands, so the process wakes for the earliest event there is.
void NetworkClock::posted(Cycle at) {
  wake_after(delay_to(at));
}

void NetworkClock::wake_after(const sc_core::sc_time& delay) {
  wake_.notify(delay);
  wake_at_ = std::min(wake_at_, sc_core::sc_time_stamp() + delay);
}

void NetworkClock::wake_for_next() {
  // SystemC's time follows the wheel, also past its last event: the end of the run is the network's.
  const Cycle next = stop_requested_ ? kNever : std::min(wheel_.next(), limit_);
  if (next != kNever) {
    wake_after(delay_to(next));
  } else if (time_of(wheel_.now()) > sc_core::sc_time_stamp()) {
    wake_after(delay_to(wheel_.now()));
  }
}

void NetworkClock::step() {
  if (stopped_) return;
  wake_at_ = sc_core::sc_max_time();
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
  wake_for_next();
}

void NetworkClock::finish() {
  if (!stop_requested_) sync_to(limit_);
  stopped_ = true;
  sc_core::sc_stop();
}

}  // namespace toroid
