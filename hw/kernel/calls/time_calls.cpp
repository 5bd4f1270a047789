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

/// A time as programs have it: seconds, and a part of a second in `layout`'s second field.
void store_time(const WordLayout& layout, std::uint8_t* to, std::uint64_t time, std::uint64_t part) {
  layout.store(to, 0, time / kNanosecondsPerSecond);
  layout.store(to, 1, time % kNanosecondsPerSecond / part);
}

CallResult read_clock(const Call& call, bool resolution, bool wide) {
  const std::optional<std::uint64_t> now = clock_time(call, call.word(0));
  if (!now) return -EINVAL;
  if (resolution && call[1] == 0) return 0;
  const WordLayout layout = timespec_layout(call, wide);
  std::uint8_t* to = call.process.memory()->writable(call[1], 2 * layout.bytes);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t shown = resolution ? 1 : *now;
  store_time(layout, to, shown, 1);
  return 0;
}

std::uint64_t nanoseconds_of(const Call& call, CoreCycle cycles) {
  return cycles.count() * 1000 / call.core.config().clock_mhz;
}

/// Ends early if a handler of a signal is to be called; what is left of the time goes to `left`, if that is not 0.
CallResult sleep_for(const Call& call, CoreCycle cycles, std::uint64_t left, bool wide) {
  if (call.core.called_at() == LocalTime::kForever) {
    call.core.sleep(cycles);
    return 0;
  }
  Threads& threads = call.process.threads();
  ProcessCore& own = call.process.of(call.core);
  const CoreCycle end = call.core.now() + cycles;
  const Threads::Wait how =
      threads.was_interrupted(own) ? threads.go_on_waiting(own) : threads.wait(own, kWaitsForSignals, 0, cycles, "");
  if (how == Threads::Wait::timed_out) return 0;
  if (how == Threads::Wait::signalled && left != 0) {
    const WordLayout layout = timespec_layout(call, wide);
    std::uint8_t* const to = call.process.memory()->writable(left, 2 * layout.bytes);
    if (to == nullptr) return -EFAULT;
    store_time(layout, to, nanoseconds_of(call, end - std::min(end, call.core.now())), 1);
  }
  return -EINTR;
}

/// SIGALRM's timer, as struct itimerval: interval and time left, with microseconds.
void store_timer(const Call& call, std::uint8_t* to) {
  const Signals& signals = call.process.signals();
  const WordLayout words = call.process.words();
  const CoreCycle now = call.core.now();
  const CoreCycle left = signals.timer_is_set() ? std::max(signals.timer_at(), now + 1) - now : CoreCycle{0};
  store_time(words, to, nanoseconds_of(call, signals.timer_interval()), 1000);
  store_time(words, to + 2 * words.bytes, nanoseconds_of(call, left), 1000);
}

constexpr std::uint32_t kRealTimer = 0;  // the other two count a process's own time, which is not kept

CallResult sleep_on_clock(const Call& call, bool wide) {
  if (!clock_time(call, call.word(0))) return -EINVAL;
  const std::optional<Timespec> time = load_timespec(call, call[2], wide);
  if (!time) return -EFAULT;
  if (!time->valid()) return -EINVAL;
  const bool absolute = (call.word(1) & kAbsolute) != 0;
  const CoreCycle cycles = absolute ? cycles_until(call, call.word(0), *time) : cycles_for(call, *time);
  return absolute && cycles == 0 ? 0 : sleep_for(call, cycles, absolute ? 0 : call[3], wide);
}

CallResult sleep_without_remainder(const Call& call, const Timespec& time) {
  if (!time.valid()) return -EINVAL;
  const CoreCycle cycles = cycles_for(call, time);
  return cycles == CoreCycle{0} ? 0 : sleep_for(call, cycles, 0, false);
}

/// For struct timespec at `time`; 0 stands for ever, and a set of signals for nothing that is known.
CallResult sleep_without_files(const Call& call, std::uint64_t time, std::uint64_t signals, bool wide) {
  if (signals != 0) return calls::without(call);
  if (time == 0) return calls::pause(call);
  const std::optional<Timespec> wanted = load_timespec(call, time, wide);
  return wanted ? sleep_without_remainder(call, *wanted) : -EFAULT;
}

CallResult poll_files(const Call& call, bool wide) {
  return call[1] != 0 ? calls::without(call) : sleep_without_files(call, call[2], call[3], wide);
}

CallResult select_files(const Call& call, bool wide) {
  if (call.word(0) != 0) return calls::without(call);
  // A set of signals is one word of its argument, which may be there without one.
  std::uint64_t signals = 0;
  if (call[5] != 0) {
    const WordLayout words = call.process.words();
    const std::uint8_t* const from = call.process.memory()->readable(call[5], words.bytes);
    if (from == nullptr) return -EFAULT;
    signals = words.load(from, 0);
  }
  return sleep_without_files(call, call[4], signals, wide);
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
  store_time(words, to, now, 1000);
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
  return sleep_for(call, cycles_for(call, *time), call[1], false);
}

CallResult calls::getitimer(const Call& call) {
  if (call.word(0) != kRealTimer) return -EINVAL;
  std::uint8_t* const to = call.process.memory()->writable(call[1], 4 * call.process.words().bytes);
  if (to == nullptr) return -EFAULT;
  store_timer(call, to);
  return 0;
}

CallResult calls::setitimer(const Call& call) {
  constexpr std::uint64_t kMicroseconds = 1'000'000;
  if (call.word(0) != kRealTimer) return -EINVAL;
  const WordLayout words = call.process.words();
  const unsigned size = 4 * words.bytes;
  AddressSpace& space = *call.process.memory();
  const std::uint8_t* const from = call[1] == 0 ? nullptr : space.readable(call[1], size);
  std::uint8_t* const to = call[2] == 0 ? nullptr : space.writable(call[2], size);
  if ((call[1] != 0 && from == nullptr) || (call[2] != 0 && to == nullptr)) return -EFAULT;
  CoreCycle times[2] = {0, 0};  // interval, first
  for (unsigned i = 0; from != nullptr && i < 2; ++i) {
    const std::int64_t seconds = words.load_signed(from, 2 * i);
    const std::uint64_t microseconds = words.load(from, 2 * i + 1);
    if (seconds < 0 || microseconds >= kMicroseconds) return -EINVAL;
    times[i] = cycles_for(call, {seconds, microseconds * 1000});
  }
  if (to != nullptr) store_timer(call, to);
  call.process.signals().set_timer(call.process.of(call.core), times[1], times[0]);
  return 0;
}

/// Returns the seconds that were left, a begun one as a whole one.
CallResult calls::alarm(const Call& call) {
  Signals& signals = call.process.signals();
  const CoreCycle now = call.core.now();
  const CoreCycle left = signals.timer_at() <= now ? CoreCycle{1} : signals.timer_at() - now;
  const CoreCycle second = cycles_for(call, {1, 0});
  const std::uint64_t seconds = signals.timer_is_set() ? (left + second - CoreCycle{1}) / second : 0;
  signals.set_timer(call.process.of(call.core), cycles_for(call, {call.word(0), 0}), 0);
  return static_cast<CallResult>(seconds);
}

CallResult calls::poll(const Call& call) {
  if (call[1] != 0) return without(call);
  const auto milliseconds = static_cast<std::int32_t>(call.word(2));
  if (milliseconds < 0) return pause(call);
  return sleep_without_remainder(call,
                                 {milliseconds / 1000, static_cast<std::uint64_t>(milliseconds % 1000) * 1'000'000});
}

CallResult calls::select(const Call& call) {
  if (call.word(0) != 0) return without(call);
  if (call[4] == 0) return pause(call);
  const WordLayout words = call.process.words();
  const std::uint8_t* const from = call.process.memory()->readable(call[4], 2 * words.bytes);
  if (from == nullptr) return -EFAULT;
  return sleep_without_remainder(call, {words.load_signed(from, 0), words.load(from, 1) * 1000});
}

CallResult calls::ppoll(const Call& call) {
  return poll_files(call, false);
}
CallResult calls::ppoll64(const Call& call) {
  return poll_files(call, true);
}
CallResult calls::pselect6(const Call& call) {
  return select_files(call, false);
}
CallResult calls::pselect6_64(const Call& call) {
  return select_files(call, true);
}

CallResult calls::clock_nanosleep(const Call& call) {
  return sleep_on_clock(call, false);
}
CallResult calls::clock_nanosleep64(const Call& call) {
  return sleep_on_clock(call, true);
}

}  // namespace toroid
