// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/kernel/guest_words.h"
#include "hw/kernel/process.h"

namespace toroid {

// Simulated time, as programs know it.

inline constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
enum Clock : std::uint32_t { kRealtimeClock = 0, kMonotonicClock = 1, kRealtimeCoarseClock = 5, kLastClock = 11 };

/// Since the simulation began, by the core's own time.
inline std::uint64_t nanoseconds(const Core& core) {
  return core.time().value() / 1000;  // SystemC's resolution is 1 ps
}

/// What a clock shows; nullopt if there is no such clock. Calendar time begins at KernelConfig::epoch.
std::optional<std::uint64_t> clock_time(const Call& call, std::uint32_t clock);

/// struct timespec.
struct Timespec {
  std::int64_t seconds = 0;
  std::uint64_t nanoseconds = 0;

  bool valid() const { return seconds >= 0 && nanoseconds < kNanosecondsPerSecond; }
};
/// With fields of words, or all of 64 bits (Linux's __kernel_timespec). nullopt if the process may not read it.
std::optional<Timespec> load_timespec(const Call& call, std::uint64_t address, bool wide);

/// How long it is until the time has passed, or until `clock` shows it: cycles of the core, 0 where it has shown it
/// already. The time is valid, and there is such a clock.
CoreCycle cycles_for(const Call& call, const Timespec& time);
CoreCycle cycles_until(const Call& call, std::uint32_t clock, const Timespec& time);

}  // namespace toroid
