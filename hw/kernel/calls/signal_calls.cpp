// SPDX-License-Identifier: Apache-2.0
//
// System calls about signals: those that a process sends itself, and that of its timer.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"
#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

constexpr unsigned kSignals = guest::kSignals;
constexpr unsigned kMaskBytes = 8;
constexpr std::uint64_t kNeverBlocked = Signals::kNeverBlocked;

std::uint64_t load_set(const Call& call, const std::uint8_t* from) {
  return load_signals(from, call.process.words());
}
void store_set(const Call& call, std::uint8_t* to, std::uint64_t set) {
  store_signals(to, set, call.process.words());
}

Thread& thread_of(const Call& call) {
  return call.process.of(call.core).thread;
}

/// There is no other process to send a signal to, and what ends one thread ends all.
CallResult send(const Call& call, std::uint32_t to, std::uint32_t signal, bool to_thread) {
  Process& process = call.process;
  const ProcessCore* const thread = process.threads().find(to);
  if (to != process.rank() + 1 && to != 0 && thread == nullptr) return -ESRCH;
  if (signal > kSignals) return -EINVAL;
  if (signal == 0) return 0;
  ProcessCore* const target = to_thread && thread != nullptr ? &process.of(*thread->core) : nullptr;
  process.signals().send(process.of(call.core), target, signal, "killed itself with");
  return 0;
}

/// Waits for what Threads::wake() does with some of `bits`; an interrupt breaks that off, and the call is made again.
Threads::Wait wait(const Call& call, std::uint32_t bits, std::optional<CoreCycle> cycles, const char* what) {
  Threads& threads = call.process.threads();
  ProcessCore& own = call.process.of(call.core);
  return threads.was_interrupted(own) ? threads.go_on_waiting(own)
                                      : threads.wait(own, kWaitsForSignals, bits, cycles, what);
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
  ProcessCore& own = call.process.of(call.core);
  Signals& signals = call.process.signals();
  while ((signals.pending(own) & set) == 0) {
    const Threads::Wait how =
        wait(call, signal_wait_bits(set), cycles, "a signal (sigwait), and no other thread can send one");
    if (how == Threads::Wait::timed_out) return -EAGAIN;
    if (how != Threads::Wait::woken) return -EINTR;  // not visible to the program, unless a handler is called
  }
  const auto signal = static_cast<unsigned>(__builtin_ctzll(signals.pending(own) & set)) + 1;
  if (information != nullptr) {
    const Signals::Information told = signals.information(own, signal);
    std::copy(told.begin(), told.end(), information);
  }
  signals.take(own, Signals::bit_of(signal));
  return signal;
}

/// Until a handler has been called.
CallResult wait_for_handler(const Call& call, const char* what) {
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
  return wait_for_handler(call, "a signal with a handler (pause), and nothing can send one");
}

CallResult calls::rt_sigsuspend(const Call& call) {
  if (call[1] != kMaskBytes) return -EINVAL;
  const std::uint8_t* const from = call.process.memory()->readable(call[0], kMaskBytes);
  if (from == nullptr) return -EFAULT;
  ProcessCore& own = call.process.of(call.core);
  if (!call.process.threads().was_interrupted(own)) own.thread.blocked_before_wait = own.thread.blocked;
  own.thread.blocked = load_set(call, from) & ~kNeverBlocked;
  call.process.signals().unblocked(own);
  if (call.process.how_ended() != ProcessEnd::running || call.process.signals().is_due(own)) return -EINTR;
  return wait_for_handler(call, "a signal with a handler (sigsuspend), and nothing can send one");
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
  store_set(call, to, call.process.signals().pending(call.process.of(call.core)) & thread_of(call).blocked);
  return 0;
}

CallResult calls::rt_sigaction(const Call& call) {
  const WordLayout words = call.process.words();
  const unsigned mask_at = 3 * words.bytes, size = mask_at + kMaskBytes;  // handler, flags, restorer, mask
  const std::uint32_t signal = call.word(0);
  if (signal == 0 || signal > kSignals) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  const std::uint8_t* const from = call[1] == 0 ? nullptr : space.readable(call[1], size);
  std::uint8_t* const to = call[2] == 0 ? nullptr : space.writable(call[2], size);
  if ((call[1] != 0 && from == nullptr) || (call[2] != 0 && to == nullptr)) return -EFAULT;
  if (from != nullptr && (Signals::bit_of(signal) & kNeverBlocked) != 0) return -EINVAL;
  Signals::Action& action = call.process.signals().action(signal);
  const Signals::Action before = action;
  if (from != nullptr) {
    action = {words.load(from, 0), words.load(from, 1), words.load(from, 2),
              load_set(call, from + mask_at) & ~kNeverBlocked};
  }
  if (to != nullptr) {
    words.store(to, 0, before.handler);
    words.store(to, 1, before.flags);
    words.store(to, 2, before.restorer);
    store_set(call, to + mask_at, before.mask);
  }
  return 0;
}

CallResult calls::rt_sigreturn(const Call& call) {
  return call.process.signals().return_by_call(call.process.of(call.core));
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
    call.process.signals().unblocked(call.process.of(call.core));
  }
  if (to != nullptr) store_set(call, to, before);
  return 0;
}

}  // namespace toroid
