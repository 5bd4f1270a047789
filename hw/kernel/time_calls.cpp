// SPDX-License-Identifier: Apache-2.0
//
// System calls about time: simulated time, from KernelConfig::epoch on.
#include <algorithm>
#include <cerrno>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint64_t kBillion = 1'000'000'000;
constexpr std::uint32_t kRealtime = 0, kRealtimeCoarse = 5;
constexpr std::uint32_t kLastClock = 11;
constexpr std::uint32_t kAbsolute = 1;  // TIMER_ABSTIME

constexpr std::int64_t kLongestSleep = 100'000'000;  // seconds: no run lasts as long (longest_run.h)

struct Timespec {
  std::int64_t seconds;
  std::uint32_t nanoseconds;
};

Timespec load_timespec(const std::uint8_t* from, bool time64) {
  if (time64) return {static_cast<std::int64_t>(load_be64(from)), load_be32(from + 12)};
  return {static_cast<std::int32_t>(load_be32(from)), load_be32(from + 4)};
}

void store_timespec(std::uint8_t* to, std::uint64_t nanoseconds, bool time64) {
  if (time64) {
    store_be64(to, nanoseconds / kBillion);
    store_be64(to + 8, nanoseconds % kBillion);
  } else {
    store_be32(to, static_cast<std::uint32_t>(nanoseconds / kBillion));
    store_be32(to + 4, static_cast<std::uint32_t>(nanoseconds % kBillion));
  }
}

}  // namespace

Process::Result Process::clock_time(std::uint32_t clock, std::uint64_t& now) const {
  if (clock > kLastClock) return -EINVAL;
  now = nanoseconds();
  if (clock == kRealtime || clock == kRealtimeCoarse) now += config_.epoch * kBillion;
  return 0;
}

Process::Result Process::do_time(const Arguments& arguments) {
  const auto now = static_cast<std::uint32_t>(config_.epoch + nanoseconds() / kBillion);
  if (arguments[0] != 0) {
    std::uint8_t* to = space_->writable(arguments[0], 4);
    if (to == nullptr) return -EFAULT;
    store_be32(to, now);
  }
  return now;
}

Process::Result Process::do_gettimeofday(const Arguments& arguments) {
  std::uint64_t now = 0;
  clock_time(kRealtime, now);
  if (arguments[0] == 0) return 0;
  std::uint8_t* to = space_->writable(arguments[0], 8);
  if (to == nullptr) return -EFAULT;
  store_be32(to, static_cast<std::uint32_t>(now / kBillion));
  store_be32(to + 4, static_cast<std::uint32_t>(now % kBillion / 1000));
  return 0;
}

Process::Result Process::read_clock(const Arguments& arguments, bool resolution, bool time64) {
  std::uint64_t now = 0;
  if (const Result error = clock_time(arguments[0], now)) return error;
  if (resolution && arguments[1] == 0) return 0;
  std::uint8_t* to = space_->writable(arguments[1], time64 ? 16 : 8);
  if (to == nullptr) return -EFAULT;
  store_timespec(to, resolution ? 1 : now, time64);
  return 0;
}

Process::Result Process::do_clock_gettime(const Arguments& arguments) {
  return read_clock(arguments, false, false);
}
Process::Result Process::do_clock_gettime64(const Arguments& arguments) {
  return read_clock(arguments, false, true);
}
Process::Result Process::do_clock_getres(const Arguments& arguments) {
  return read_clock(arguments, true, false);
}
Process::Result Process::do_clock_getres64(const Arguments& arguments) {
  return read_clock(arguments, true, true);
}

Process::Result Process::sleep_for(std::int64_t seconds, std::uint64_t rest) {
  if (rest >= kBillion || seconds < 0) return -EINVAL;
  const std::uint64_t mhz = caller_->config().clock_mhz;
  caller_->sleep(CoreCycle{static_cast<std::uint64_t>(std::min(seconds, kLongestSleep)) * mhz * 1'000'000 +
                           (rest * mhz + 999) / 1000});
  return 0;
}

/// Until a clock shows this time; not at all where it has shown it already.
Process::Result Process::sleep_until(std::uint32_t clock, std::int64_t seconds, std::uint32_t rest) {
  std::uint64_t now = 0;
  if (const Result error = clock_time(clock, now)) return error;
  if (rest >= kBillion || seconds < 0) return -EINVAL;
  const std::int64_t last = static_cast<std::int64_t>(config_.epoch) + kLongestSleep;
  const std::uint64_t at = static_cast<std::uint64_t>(std::min(seconds, last)) * kBillion + rest;
  return at <= now ? 0 : sleep_for(static_cast<std::int64_t>((at - now) / kBillion), (at - now) % kBillion);
}

Process::Result Process::do_nanosleep(const Arguments& arguments) {
  const std::uint8_t* from = space_->readable(arguments[0], 8);
  if (from == nullptr) return -EFAULT;
  const Timespec time = load_timespec(from, false);
  return sleep_for(time.seconds, time.nanoseconds);
}

Process::Result Process::sleep_on_clock(const Arguments& arguments, bool time64) {
  std::uint64_t now = 0;
  if (const Result error = clock_time(arguments[0], now)) return error;
  const std::uint8_t* from = space_->readable(arguments[2], time64 ? 16 : 8);
  if (from == nullptr) return -EFAULT;
  const Timespec time = load_timespec(from, time64);
  if ((arguments[1] & kAbsolute) == 0) return sleep_for(time.seconds, time.nanoseconds);
  return sleep_until(arguments[0], time.seconds, time.nanoseconds);
}

Process::Result Process::do_clock_nanosleep(const Arguments& arguments) {
  return sleep_on_clock(arguments, false);
}
Process::Result Process::do_clock_nanosleep64(const Arguments& arguments) {
  return sleep_on_clock(arguments, true);
}

}  // namespace toroid
