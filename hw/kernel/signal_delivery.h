// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hw/kernel/process_core.h"
#include "hw/kernel/signal_frame.h"
#include "hw/kernel/signals.h"
#include "hw/kernel/system_call.h"

namespace toroid {

class Process;

/// Where threads wait for signals: no futex can have this address.
inline constexpr std::uint64_t kWaitsForSignals = ~std::uint64_t{0};
/// Signals as Threads::wait() and wake() have them.
inline std::uint32_t signal_wait_bits(std::uint64_t signals) {
  return static_cast<std::uint32_t>(signals | signals >> 32);
}

/// Signals of a process: what it does with each, those that wait, the calls of its handlers, and the timer that sends
/// SIGALRM.
///
/// A handler is called between two blocks of a thread, behind a system call, or at a fault, on the thread's own stack.
/// What it interrupts is kept here, and lies on that stack as well (SignalFrame): what the handler changes there
/// counts. A handler that is left by longjmp() or an exception is forgotten when the next one is called from above its
/// frame.
class Signals {
 public:
  struct Action {
    static constexpr std::uint64_t kDefault = 0, kIgnore = 1;
    std::uint64_t handler = kDefault, flags = 0, restorer = 0, mask = 0;
  };
  static constexpr std::uint64_t kRestorer = 0x400'0000, kRestart = 0x1000'0000, kNotBlocked = 0x4000'0000,
                                 kResetAction = 0x8000'0000;  // flags

  static constexpr std::uint64_t bit_of(unsigned signal) { return std::uint64_t{1} << (signal - 1); }

  static constexpr std::uint64_t kNeverBlocked =
      std::uint64_t{1} << (guest::kSigKill - 1) | std::uint64_t{1} << (guest::kSigStop - 1);

  explicit Signals(Process& process) : process_(process) {}

  Action& action(unsigned signal) { return actions_[signal - 1]; }
  /// Signals that have been sent and that nobody has taken, as all threads that could have block them; and those sent
  /// to the thread on `own` alone.
  std::uint64_t pending(const ProcessCore& own) const { return pending_ | own.thread.pending; }
  void take(ProcessCore& own, std::uint64_t signals) {
    pending_ &= ~signals;
    own.thread.pending &= ~signals;
    own.thread.directed &= ~signals;
  }
  /// struct siginfo, of 128 bytes, of a signal that is pending on `own`: signal, errno, code, and who has sent it.
  using Information = std::array<std::uint8_t, guest::kSignalInformationBytes>;
  Information information(const ProcessCore& own, unsigned signal) const;

  /// A signal for the process, or for the thread on `to`. A thread that waits for it gets it (sigwait), or its handler
  /// is called; it waits while all block it. If it has no handler it ends the process, with a report that `sender` has
  /// sent it: "killed itself with". What becomes of `caller`'s own handlers is done behind the call that it makes.
  void send(ProcessCore& caller, ProcessCore* to, unsigned signal, const std::string& sender);
  /// The thread on `own` may have unblocked signals: those without a handler end the process or are dropped.
  void unblocked(ProcessCore& own);
  /// Whether a handler is to be called on `own`'s core.
  bool is_due(const ProcessCore& own) const;
  /// Enters the handler that is due, on a core that goes on at `pc` behind it.
  void deliver(ProcessCore& own, std::uint64_t pc);
  /// Whether a fault calls a handler of the program's: there is one, the thread does not block it, and its frame fits.
  bool can_handle_fault(const ProcessCore& own, unsigned signal) const;
  /// Enters the handler of a fault at `pc`.
  void handle_fault(ProcessCore& own, HandledFault fault, std::uint64_t pc);
  /// Whether a system call that the next handler interrupts is made again behind it (SA_RESTART).
  bool restarts(const ProcessCore& own) const;
  /// The thread on `own` has jumped to `address`: a handler returns. Where it goes on, with its registers.
  std::optional<std::uint64_t> returned(ProcessCore& own, std::uint64_t address);
  /// A handler returns by a call. If none runs whose frame the stack pointer is at, the process ends.
  CallResult return_by_call(ProcessCore& own);

  /// The thread on `target` shall look at what is due to it, soon; it is another one than `caller`'s.
  void call(ProcessCore& target, const ProcessCore& caller);
  /// The time has come that Core::call_at() has named.
  void called(ProcessCore& own);
  /// SIGALRM after `first` cycles and then each `interval`; 0: never.
  void set_timer(ProcessCore& caller, CoreCycle first, CoreCycle interval);
  bool timer_is_set() const { return timer_at_ != LocalTime::kForever; }
  CoreCycle timer_at() const { return timer_at_; }
  CoreCycle timer_interval() const { return timer_interval_; }
  /// The thread on `own` ends: its core counts no timer any longer.
  void leave(ProcessCore& own);

 private:
  /// The lowest signal whose handler is due; 0 if none.
  unsigned next(const ProcessCore& own) const;
  std::uint64_t due(const ProcessCore& own) const { return pending(own) & ~own.thread.blocked; }
  bool is_ignored(unsigned signal) const;
  /// Where the frame of a handler lies that is called next; 0 if the thread's stack has no room.
  std::uint64_t next_frame(const ProcessCore& own) const;
  void enter(ProcessCore& own, unsigned signal, const Information& information, std::uint64_t pc,
             const HandledFault* fault);
  /// The handler with this frame returns, if there is one, and those that it has called are left. Where the thread goes
  /// on.
  std::optional<std::uint64_t> leave_handler(ProcessCore& own, std::uint64_t frame);
  bool has_frame(const ProcessCore& own, std::uint64_t frame) const;
  const SignalFrames& frames() const;
  /// The fault of this signal whose handler runs on `own`, not left by longjmp(); nullptr if there is none.
  const HandledFault* fault_at_work(const ProcessCore& own, unsigned signal) const;
  bool has_handler(unsigned signal) const { return actions_[signal - 1].handler > Action::kIgnore; }
  void end_by(ProcessCore& own, unsigned signal, const std::string& sender);
  /// From when on other cores than `caller`'s can notice what it does, with any quantum.
  CoreCycle next_look(const ProcessCore& caller) const;
  void arm(ProcessCore& caller);

  Process& process_;
  std::array<Action, guest::kSignals> actions_{};
  std::uint64_t pending_ = 0;
  CoreCycle timer_at_ = LocalTime::kForever, timer_interval_ = 0;
  ProcessCore* timer_core_ = nullptr;
  mutable std::unique_ptr<SignalFrames> frames_;  ///< made when the first handler is called
};

}  // namespace toroid
