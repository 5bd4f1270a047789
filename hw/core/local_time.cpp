// SPDX-License-Identifier: Apache-2.0
#include "hw/core/local_time.h"

#include <stdexcept>
#include <string>

#include "hw/core/longest_run.h"
#include "torus/base/clock.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

LocalTime::LocalTime(const CoreConfig& config, unsigned number, BlockLedger& ledger)
    : ledger_(ledger),
      clock_mhz_(config.clock_mhz),
      quantum_(config.quantum),
      phase_(sc_time::from_value(number)),
      outstanding_reads_(config.outstanding_reads) {
  if (outstanding_reads_ < 1 || outstanding_reads_ > kMaxOutstandingReads)
    throw std::invalid_argument("outstanding device reads of a core must be 1 to " +
                                std::to_string(kMaxOutstandingReads) + ", not " + std::to_string(outstanding_reads_));
}

sc_time LocalTime::begin_of(CoreCycle cycle) const {
  return time_of(cycle, clock_mhz_) + phase_;
}

CoreCycle LocalTime::first_cycle_at(const sc_time& time) const {
  return time > phase_ ? cycle_at<CoreCycle>(time - phase_, clock_mhz_) : CoreCycle{0};
}

void LocalTime::synchronise() {
  const sc_time at = time();
  if (at >= sc_time_stamp()) before_wait();  // what can be seen now is seen, without waiting, too
  if (at > sc_time_stamp()) sc_core::wait(at - sc_time_stamp());
  begin_quantum();
}

void LocalTime::wait(const sc_core::sc_event& changed, CoreCycle end) const {
  before_wait();
  if (end == kForever) {
    sc_core::wait(changed);
  } else if (const sc_time at = begin_of(end); at > sc_time_stamp()) {
    sc_core::wait(at - sc_time_stamp(), changed);
  }
}

void LocalTime::wait(const sc_core::sc_event_or_list& changes, CoreCycle end) const {
  before_wait();
  if (end == kForever) {
    sc_core::wait(changes);
  } else if (const sc_time at = begin_of(end); at > sc_time_stamp()) {
    sc_core::wait(at - sc_time_stamp(), changes);
  }
}

bool LocalTime::wait(const sc_core::sc_event_or_list& changes) const {
  before_wait();
  const CoreCycle until = std::min(limit_, called_at_);
  if (until == kForever) {
    sc_core::wait(changes);
    return true;
  }
  const sc_time end = begin_of(until);
  if (end <= sc_time_stamp()) return false;
  sc_core::wait(end - sc_time_stamp(), changes);
  return true;
}

CoreCycle LocalTime::last_cycle() const {
  return cycle_at<CoreCycle>(sc_time::from_value(kLongestRunNs * 1000), clock_mhz_) + 1;
}

void LocalTime::sleep(CoreCycle cycles) {
  const CoreCycle end = std::min(limit_, last_cycle());
  ledger_.now = cycles > end - std::min(now(), end) ? std::max(now(), end) : now() + cycles;
  synchronise();
}

void LocalTime::wait_for_loads() {
  loads_in_flight_ = false;
  for (unsigned slot = 0; slot < outstanding_reads_; ++slot) reach(returns_[slot]);
}

LocalTime::InFlight LocalTime::in_flight() const {
  InFlight left{};
  for (unsigned i = 0; i < outstanding_reads_; ++i) {
    const CoreCycle at = returns_[(oldest_ + i) % outstanding_reads_];
    left[i] = at > now() ? at - now() : CoreCycle{0};
  }
  return left;
}

void LocalTime::skip(CoreCycle cycles, bool reads_devices) {
  ledger_.now += cycles;
  ledger_.done += cycles;
  began_ += cycles;
  if (reads_devices) accessed_ += cycles;
  for (CoreCycle& at : returns_) at += cycles;
}

}  // namespace toroid
