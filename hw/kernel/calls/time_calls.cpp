// SPDX-License-Identifier: Apache-2.0
//
// System calls about time: simulated time, from KernelConfig::epoch on.
#include <algorithm>
#include <cerrno>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"

namespace toroid {
namespace {

constexpr std::uint32_t kAbsolute = 1;               // TIMER_ABSTIME
constexpr std::int64_t kLongestSleep = 100'000'000;  // seconds: no run lasts as long (longest_run.h)

/// As struct timespec is laid out.
WordLayout timespec_layout(const Call& call, bool wide) {
  const WordLayout words = call.process.words();
  return {words.order, wide ? 8 : words.bytes};
}

CallResult read_clock(const Call& call, bool resolution, bool wide) {
  const std::optional<std::uint64_t> now = clock_time(call, call.word(0));
  if (!now) return -EINVAL;
  if (resolution && call[1] == 0) return 0;
  const WordLayout layout = timespec_layout(call, wide);
  std::uint8_t* to = call.process.memory()->writable(call[1], 2 * layout.bytes);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t shown = resolution ? 1 : *now;
  layout.store(to, 0, shown / kNanosecondsPerSecond);
  layout.store(to, 1, shown % kNanosecondsPerSecond);
  return 0;
}

CallResult sleep_on_clock(const Call& call, bool wide) {
  if (!clock_time(call, call.word(0))) return -EINVAL;
  const std::optional<Timespec> time = load_timespec(call, call[2], wide);
  if (!time) return -EFAULT;
  if (!time->valid()) return -EINVAL;
  const bool absolute = (call.word(1) & kAbsolute) != 0;
  const CoreCycle cycles = absolute ? cycles_until(call, call.word(0), *time) : cycles_for(call, *time);
  if (!absolute || cycles != 0) call.core.sleep(cycles);
  return 0;
}

}  // namespace

std::optional<std::uint64_t> clock_time(const Call& call, std::uint32_t clock) {
  if (clock > kLastClock) return std::nullopt;
  const bool calendar = clock == kRealtimeClock || clock == kRealtimeCoarseClock;
  return nanoseconds(call.core) + (calendar ? call.process.config().epoch * kNanosecondsPerSecond : 0);
}

std::optional<Timespec> load_timespec(const Call& call, std::uint64_t address, bool wide) {
  const WordLayout layout = timespec_layout(call, wide);
  const std::uint8_t* from = call.process.memory()->readable(address, 2 * layout.bytes);
  if (from == nullptr) return std::nullopt;
  if (wide && call.process.words().bytes == 4) {
    // Of the second field, a program of 32-bit words has written 32 bits alone.
    return Timespec{layout.load_signed(from, 0), layout.load(from, 1) & 0xFFFF'FFFF};
  }
  return Timespec{layout.load_signed(from, 0), layout.load(from, 1)};
}

CoreCycle cycles_for(const Call& call, const Timespec& time) {
  const std::uint64_t mhz = call.core.config().clock_mhz;
  return CoreCycle{static_cast<std::uint64_t>(std::min(time.seconds, kLongestSleep)) * mhz * 1'000'000 +
                   (time.nanoseconds * mhz + 999) / 1000};
}

CoreCycle cycles_until(const Call& call, std::uint32_t clock, const Timespec& time) {
  const std::uint64_t now = *clock_time(call, clock);
  const std::int64_t last = static_cast<std::int64_t>(call.process.config().epoch) + kLongestSleep;
  const std::uint64_t at =
      static_cast<std::uint64_t>(std::min(time.seconds, last)) * kNanosecondsPerSecond + time.nanoseconds;
  if (at <= now) return 0;
  return cycles_for(
      call, {static_cast<std::int64_t>((at - now) / kNanosecondsPerSecond), (at - now) % kNanosecondsPerSecond});
}

CallResult calls::time(const Call& call) {
  const WordLayout words = call.process.words();
  const std::uint64_t now = call.process.config().epoch + nanoseconds(call.core) / kNanosecondsPerSecond;
  if (call[0] != 0) {
    std::uint8_t* to = call.process.memory()->writable(call[0], words.bytes);
    if (to == nullptr) return -EFAULT;
    words.store(to, 0, now);
  }
  return static_cast<CallResult>(now);
}

CallResult calls::gettimeofday(const Call& call) {
  const std::uint64_t now = *clock_time(call, kRealtimeClock);
  if (call[0] == 0) return 0;
  const WordLayout words = call.process.words();
  std::uint8_t* to = call.process.memory()->writable(call[0], 2 * words.bytes);
  if (to == nullptr) return -EFAULT;
  words.store(to, 0, now / kNanosecondsPerSecond);
  words.store(to, 1, now % kNanosecondsPerSecond / 1000);
  return 0;
}

CallResult calls::clock_gettime(const Call& call) {
  return read_clock(call, false, false);
}
CallResult calls::clock_gettime64(const Call& call) {
  return read_clock(call, false, true);
}
CallResult calls::clock_getres(const Call& call) {
  return read_clock(call, true, false);
}
CallResult calls::clock_getres64(const Call& call) {
  return read_clock(call, true, true);
}

CallResult calls::nanosleep(const Call& call) {
  const std::optional<Timespec> time = load_timespec(call, call[0], false);
  if (!time) return -EFAULT;
  if (!time->valid()) return -EINVAL;
  call.core.sleep(cycles_for(call, *time));
  return 0;
}

CallResult calls::clock_nanosleep(const Call& call) {
  return sleep_on_clock(call, false);
}
CallResult calls::clock_nanosleep64(const Call& call) {
  return sleep_on_clock(call, true);
}

}  // namespace toroid
