// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/performance_counters.h"

namespace toroid {
namespace {

constexpr int kDefaultMode = -1, kMixedMode = -2;
constexpr unsigned kModesOfCounterMode = 2;

/// High and low level, default, rising and falling edge. Here an event counts once with each.
bool is_edge(std::uint32_t edge) {
  return edge == 0x0 || edge == 0x1 || edge == 0x4 || edge == 0x8 || edge == 0xC;
}

}  // namespace

PerformanceCounters::PerformanceCounters(const PerformanceEvents& events, unsigned mode)
    : events_(events), default_mode_(mode) {
  configure(kDefaultMode, 1);
  generation_ = 0;
}

std::int64_t PerformanceCounters::check(std::uint32_t event) const {
  if (event >= kUserModes * kCounters) return kInvalidEvent;
  const Counter& counter = counters_[event % kCounters];
  return counter.monitors && counter.event == event ? 0 : std::int64_t{kNotMonitored};
}

std::uint64_t PerformanceCounters::value(const Counter& counter, std::uint64_t now) const {
  if (!counter.monitors) return 0;
  return active_ ? counter.value + events_.count(counter.event, now) - counter.from : counter.value;
}

void PerformanceCounters::set(Counter& counter, std::uint64_t value, std::uint64_t now) const {
  counter.value = value;
  if (active_ && counter.monitors) counter.from = events_.count(counter.event, now);
}

std::int64_t PerformanceCounters::configure(std::int32_t mode, std::uint32_t edge) {
  if (mode < kDefaultMode || mode >= static_cast<std::int32_t>(kUserModes)) return kInvalidUserMode;
  if (!is_edge(edge)) return kInvalidEdge;
  if (active_) return kIsActive;
  const unsigned of = mode == kDefaultMode ? default_mode_ : static_cast<unsigned>(mode);
  counter_mode_ = of / kModesOfCounterMode;
  user_mode_ = static_cast<int>(of);
  for (unsigned number = 0; number < kCounters; ++number) {
    const unsigned event = of * kCounters + number;
    counters_[number] = {event, events_.counts(event), edge, 0, 0};
  }
  return ++generation_;
}

std::int64_t PerformanceCounters::monitor(std::uint32_t event, std::uint32_t edge) {
  if (!counts(event)) return kInvalidEvent;
  if (!is_edge(edge)) return kInvalidEdge;
  if (event % kCounters == kElapsedTime) return kElapsedTimeEvent;
  if (active_) return kIsActive;
  if (event / kCounters / kModesOfCounterMode != counter_mode_) return kWrongCounterMode;
  if (check(event) == 0) return kMonitored;
  if (static_cast<int>(event / kCounters) != user_mode_) user_mode_ = kMixedMode;
  counters_[event % kCounters] = {event, true, edge, 0, 0};
  return ++generation_;
}

std::int64_t PerformanceCounters::start(bool reset, std::uint64_t now) {
  if (active_) return reset ? std::int64_t{kIsActive} : starts_;
  active_ = true;
  for (Counter& counter : counters_) set(counter, reset ? 0 : counter.value, now);
  return ++starts_;
}

std::int64_t PerformanceCounters::stop(std::uint64_t now) {
  if (!active_) return starts_;
  for (Counter& counter : counters_) counter.value = value(counter, now);
  active_ = false;
  return ++starts_;
}

/// An exclusive read of a unit that counts stops and starts it, which takes no time here.
std::int64_t PerformanceCounters::check_read(std::uint32_t type) {
  if (type > 1) return kInvalidReadType;
  if (active_ && type == 1) ++starts_;
  return 0;
}

std::int64_t PerformanceCounters::read(std::uint32_t event, std::uint32_t type, std::uint64_t now) {
  if (const std::int64_t error = check(event); error != 0) return error;
  if (const std::int64_t error = check_read(type); error != 0) return error;
  return static_cast<std::int64_t>(value(counters_[event % kCounters], now));
}

std::int64_t PerformanceCounters::read_all(std::uint32_t type, std::uint64_t now,
                                           std::array<std::uint64_t, kCounters>& values) {
  if (const std::int64_t error = check_read(type); error != 0) return error;
  for (unsigned number = 0; number < kCounters; ++number) values[number] = value(counters_[number], now);
  return starts_;
}

std::int64_t PerformanceCounters::set(std::uint32_t event, std::int64_t value) {
  if (const std::int64_t error = check(event); error != 0) return error;
  if (event % kCounters == kElapsedTime) return kElapsedTimeEvent;
  if (active_) return kIsActive;
  counters_[event % kCounters].value = static_cast<std::uint64_t>(value);
  return ++generation_;
}

std::int64_t PerformanceCounters::zero(std::uint32_t event, std::uint64_t now) {
  if (const std::int64_t error = check(event); error != 0) return error;
  set(counters_[event % kCounters], 0, now);
  return ++generation_;
}

std::int64_t PerformanceCounters::zero_all(std::uint64_t now) {
  for (Counter& counter : counters_) set(counter, 0, now);
  return ++generation_;
}

std::int64_t PerformanceCounters::edge(std::uint32_t event) const {
  const std::int64_t error = check(event);
  return error != 0 ? error : std::int64_t{counters_[event % kCounters].edge};
}

}  // namespace toroid
