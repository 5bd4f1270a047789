// SPDX-License-Identifier: Apache-2.0
//
// Waiting for other threads.
#include <cerrno>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

// Operations, without the private and clock bits.
constexpr std::uint32_t kWait = 0, kWake = 1, kWaitBitset = 9, kWakeBitset = 10;
constexpr std::uint32_t kClockRealtime = 256;

/// One thread: nobody waits, and whoever would wait is woken by time alone. The time of FUTEX_WAIT is how long to wait,
/// that of FUTEX_WAIT_BITSET until when (futex(2)).
CallResult wait(const Call& call, bool wide) {
  const std::uint32_t operation = call.word(1) & 0x7F;
  if (operation == kWake || operation == kWakeBitset) return 0;
  if (operation != kWait && operation != kWaitBitset) return -ENOSYS;
  Process& process = call.process;
  const std::uint8_t* word = process.memory()->readable(call[0], 4);
  if (word == nullptr) return -EFAULT;
  if (load_u32(word, process.words().order) != call.word(2)) return -EAGAIN;
  if (call[3] == 0) {
    process.kill(call.core, 128 + guest::kSigAbrt,
                 "waits for ever for another thread (futex), and has none, called by " + process.callers(call.core));
    return 0;
  }
  const std::optional<Timespec> time = load_timespec(call, call[3], wide);
  if (!time) return -EFAULT;
  if (!time->valid()) return -EINVAL;
  const std::uint32_t clock = (call.word(1) & kClockRealtime) != 0 ? kRealtimeClock : kMonotonicClock;
  const CoreCycle cycles = operation == kWait ? cycles_for(call, *time) : cycles_until(call, clock, *time);
  if (operation == kWait || cycles != 0) call.core.sleep(cycles);
  return -ETIMEDOUT;
}

}  // namespace

CallResult calls::futex(const Call& call) {
  return wait(call, false);
}
CallResult calls::futex64(const Call& call) {
  return wait(call, true);
}

}  // namespace toroid
