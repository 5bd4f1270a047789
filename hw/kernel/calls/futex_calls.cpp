// SPDX-License-Identifier: Apache-2.0
//
// Waiting for other threads: futex(2).
#include <cerrno>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"

namespace toroid {
namespace {

// Operations, without the private and clock bits.
constexpr std::uint32_t kWait = 0, kWake = 1, kRequeue = 3, kCompareRequeue = 4, kWaitBitset = 9, kWakeBitset = 10;
constexpr std::uint32_t kClockRealtime = 256;

/// The word at the call's first argument; nullptr if the process may not read it.
const std::uint8_t* word_of(const Call& call) {
  return call.process.memory()->readable(call[0], 4);
}

CallResult result_of(Threads::Wait wait, bool timed) {
  switch (wait) {
    case Threads::Wait::woken:
      return 0;
    case Threads::Wait::timed_out:
      return -ETIMEDOUT;
    case Threads::Wait::signalled:
      return timed ? CallResult{-EINTR} : kMadeAgain;
    case Threads::Wait::interrupted:
    case Threads::Wait::stopped:
      break;
  }
  return -EINTR;  // not visible to the program: it makes the call again, or the core stops
}

/// The time of FUTEX_WAIT is how long to wait, that of FUTEX_WAIT_BITSET until when.
CallResult wait(const Call& call, bool absolute, std::uint32_t bits, bool wide) {
  Threads& threads = call.process.threads();
  ProcessCore& own = call.process.of(call.core);
  if (threads.was_interrupted(own)) return result_of(threads.go_on_waiting(own), call[3] != 0);
  const std::uint8_t* const word = word_of(call);
  if (word == nullptr) return -EFAULT;
  if (bits == 0) return -EINVAL;
  std::optional<CoreCycle> cycles;
  if (call[3] != 0) {
    const std::optional<Timespec> time = load_timespec(call, call[3], wide);
    if (!time) return -EFAULT;
    if (!time->valid()) return -EINVAL;
    const std::uint32_t clock = (call.word(1) & kClockRealtime) != 0 ? kRealtimeClock : kMonotonicClock;
    cycles = absolute ? cycles_until(call, clock, *time) : cycles_for(call, *time);
  }
  if (load_u32(word, call.process.words().order) != call.word(2)) return -EAGAIN;
  return result_of(threads.wait(own, call[0], bits, cycles), cycles.has_value());
}

/// Numbers of threads to be woken and to be moved are signed.
bool is_negative(std::uint64_t number) {
  return static_cast<std::int32_t>(number) < 0;
}

CallResult requeue(const Call& call, bool compare) {
  if (is_negative(call[2]) || is_negative(call[3]) || call[4] % 4 != 0) return -EINVAL;
  const std::uint8_t* const word = word_of(call);
  if (word == nullptr || call.process.memory()->readable(call[4], 4) == nullptr) return -EFAULT;
  if (compare && load_u32(word, call.process.words().order) != call.word(5)) return -EAGAIN;
  Threads& threads = call.process.threads();
  const std::uint32_t woken = threads.wake(call[0], call.word(2));
  const std::uint32_t moved = threads.requeue(call[0], call.word(3), call[4]);
  return compare ? woken + moved : woken;
}

CallResult serve(const Call& call, bool wide) {
  Threads& threads = call.process.threads();
  if (call[0] % 4 != 0) return -EINVAL;
  switch (call.word(1) & 0x7F) {
    case kWait:
      return wait(call, false, Threads::kAllBits, wide);
    case kWaitBitset:
      return wait(call, true, call.word(5), wide);
    case kWake:
      return threads.wake(call[0], call.word(2));
    case kWakeBitset:
      return call.word(5) == 0 ? -EINVAL : CallResult{threads.wake(call[0], call.word(2), call.word(5))};
    case kRequeue:
      return requeue(call, false);
    case kCompareRequeue:
      return requeue(call, true);
    default:
      return -ENOSYS;
  }
}

}  // namespace

CallResult calls::futex(const Call& call) {
  return serve(call, false);
}
CallResult calls::futex64(const Call& call) {
  return serve(call, true);
}

}  // namespace toroid
