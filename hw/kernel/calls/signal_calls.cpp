// SPDX-License-Identifier: Apache-2.0
//
// System calls about signals. There are none to catch: one that a process sends itself ends it, or waits for sigwait()
// if it is blocked.
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"
#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

constexpr unsigned kSignals = 64;
constexpr unsigned kMaskBytes = 8;
constexpr std::uint64_t kNeverBlocked = std::uint64_t{1} << 8 | std::uint64_t{1} << 18;  // SIGKILL and SIGSTOP
/// Where threads wait for signals: no futex can have this address.
constexpr std::uint64_t kWaitsForSignals = ~std::uint64_t{0};

std::uint64_t bit_of(unsigned signal) {
  return std::uint64_t{1} << (signal - 1);
}
/// As Threads::wait() and wake() have them.
std::uint32_t wait_bits(std::uint64_t signals) {
  return static_cast<std::uint32_t>(signals | signals >> 32);
}

/// A set of signals as programs have it: words, the lowest signals in the first.
std::uint64_t load_set(const Call& call, const std::uint8_t* from) {
  const WordLayout words = call.process.words();
  return words.bytes == 8 ? words.load(from, 0) : words.load(from, 0) | words.load(from, 1) << 32;
}
void store_set(const Call& call, std::uint8_t* to, std::uint64_t set) {
  const WordLayout words = call.process.words();
  words.store(to, 0, words.bytes == 8 ? set : set & 0xFFFF'FFFF);
  if (words.bytes == 4) words.store(to, 1, set >> 32);
}

Thread& thread_of(const Call& call) {
  return call.process.of(call.core).thread;
}

void end_by(const Call& call, unsigned signal) {
  const int number = static_cast<int>(signal);
  call.process.kill(call.core, 128 + number,
                    (number == guest::kSigAbrt ? "aborted" : "killed itself with signal " + std::to_string(number)) +
                        ", called by " + call.process.callers(call.core));
}

/// Ends the process if it no longer blocks a signal that has been sent.
void deliver(const Call& call) {
  const std::uint64_t due = call.process.pending_signals() & ~thread_of(call).blocked;
  if (due != 0) end_by(call, static_cast<unsigned>(__builtin_ctzll(due)) + 1);
}

/// There is no other process to send a signal to, and what ends one thread ends all.
CallResult send(const Call& call, std::uint32_t to, std::uint32_t signal, bool to_thread) {
  Process& process = call.process;
  const ProcessCore* const thread = process.threads().find(to);
  if (to != process.rank() + 1 && to != 0 && thread == nullptr) return -ESRCH;
  if (signal > kSignals) return -EINVAL;
  if (signal == 0) return 0;
  const std::uint64_t bit = bit_of(signal);
  bool blocked = true;
  for (const ProcessCore& each : process.cores()) {
    if (each.thread.id != 0 && (!to_thread || &each == thread)) blocked = blocked && (each.thread.blocked & bit) != 0;
  }
  process.pending_signals() |= bit;
  if (process.threads().wake(kWaitsForSignals, 1, wait_bits(bit)) != 0 || blocked) return 0;
  end_by(call, signal);
  return 0;
}

/// Waits for what Threads::wake() does with some of `bits`; an interrupt breaks that off, and the call is made again.
Threads::Wait wait(const Call& call, std::uint32_t bits, std::optional<CoreCycle> cycles, const char* what) {
  Threads& threads = call.process.threads();
  ProcessCore& own = call.process.of(call.core);
  return threads.was_interrupted(own) ? threads.go_on_waiting(own)
                                      : threads.wait(own, kWaitsForSignals, bits, cycles, what);
}

/// struct siginfo: signal, errno, code, and behind it who has sent it.
void store_information(const Call& call, std::uint8_t* to, unsigned signal) {
  const WordLayout words = call.process.words();
  std::memset(to, 0, guest::kSignalInformationBytes);
  store_u32(to, signal, words.order);
  store_u32(to + (words.bytes == 8 ? 16 : 12), call.process.rank() + 1, words.order);
}

CallResult wait_for_signal(const Call& call, bool wide) {
  if (call[3] != kMaskBytes) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  const std::uint8_t* const from = space.readable(call[0], kMaskBytes);
  std::uint8_t* const information = call[1] == 0 ? nullptr : space.writable(call[1], guest::kSignalInformationBytes);
  if (from == nullptr || (call[1] != 0 && information == nullptr)) return -EFAULT;
  const std::uint64_t set = load_set(call, from) & ~kNeverBlocked;
  std::optional<CoreCycle> cycles;
  if (call[2] != 0) {
    const std::optional<Timespec> time = load_timespec(call, call[2], wide);
    if (!time) return -EFAULT;
    if (!time->valid()) return -EINVAL;
    cycles = cycles_for(call, *time);
  }
  std::uint64_t& pending = call.process.pending_signals();
  while ((pending & set) == 0) {
    const Threads::Wait how =
        wait(call, wait_bits(set), cycles, "a signal (sigwait), and no other thread can send one");
    if (how == Threads::Wait::timed_out) return -EAGAIN;
    if (how != Threads::Wait::woken) return -EINTR;  // not visible to the program
  }
  const auto signal = static_cast<unsigned>(__builtin_ctzll(pending & set)) + 1;
  pending &= ~bit_of(signal);
  if (information != nullptr) store_information(call, information, signal);
  return signal;
}

/// No handler is ever called: it does not return.
CallResult wait_for_ever(const Call& call, const char* what) {
  wait(call, 0, std::nullopt, what);
  return -EINTR;
}

}  // namespace

CallResult calls::kill(const Call& call) {
  return send(call, call.word(0), call.word(1), false);
}

CallResult calls::tgkill(const Call& call) {
  return send(call, call.word(1), call.word(2), true);
}

CallResult calls::pause(const Call& call) {
  return wait_for_ever(call, "a signal with a handler (pause), which no process gets here");
}

CallResult calls::rt_sigsuspend(const Call& call) {
  if (call[1] != kMaskBytes) return -EINVAL;
  const std::uint8_t* const from = call.process.memory()->readable(call[0], kMaskBytes);
  if (from == nullptr) return -EFAULT;
  thread_of(call).blocked = load_set(call, from) & ~kNeverBlocked;
  deliver(call);
  if (call.process.how_ended() != ProcessEnd::running) return -EINTR;
  return wait_for_ever(call, "a signal with a handler (sigsuspend), which no process gets here");
}

CallResult calls::rt_sigtimedwait(const Call& call) {
  return wait_for_signal(call, false);
}
CallResult calls::rt_sigtimedwait64(const Call& call) {
  return wait_for_signal(call, true);
}

CallResult calls::rt_sigpending(const Call& call) {
  if (call[1] != kMaskBytes) return -EINVAL;
  std::uint8_t* const to = call.process.memory()->writable(call[0], kMaskBytes);
  if (to == nullptr) return -EFAULT;
  store_set(call, to, call.process.pending_signals() & thread_of(call).blocked);
  return 0;
}

/// Accepted; no handler is ever called.
CallResult calls::rt_sigaction(const Call& call) {
  const unsigned size = 3 * call.process.words().bytes + kMaskBytes;  // handler, flags, restorer, mask
  if (call.word(0) == 0 || call.word(0) > kSignals) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  if (call[1] != 0 && space.readable(call[1], size) == nullptr) return -EFAULT;
  if (call[2] != 0) {
    std::uint8_t* to = space.writable(call[2], size);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, size);
  }
  return 0;
}

CallResult calls::rt_sigprocmask(const Call& call) {
  constexpr std::uint32_t kBlock = 0, kUnblock = 1, kSet = 2;
  if (call[3] != kMaskBytes) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  const std::uint8_t* const from = call[1] == 0 ? nullptr : space.readable(call[1], kMaskBytes);
  std::uint8_t* const to = call[2] == 0 ? nullptr : space.writable(call[2], kMaskBytes);
  if ((call[1] != 0 && from == nullptr) || (call[2] != 0 && to == nullptr)) return -EFAULT;
  if (from != nullptr && call.word(0) > kSet) return -EINVAL;
  std::uint64_t& blocked = thread_of(call).blocked;
  const std::uint64_t before = blocked, set = from == nullptr ? 0 : load_set(call, from) & ~kNeverBlocked;
  if (from != nullptr) {
    blocked = call.word(0) == kBlock ? before | set : call.word(0) == kUnblock ? before & ~set : set;
    deliver(call);
  }
  if (to != nullptr) store_set(call, to, before);
  return 0;
}

}  // namespace toroid
