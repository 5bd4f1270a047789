// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/kernel/process_core.h"

namespace toroid {

class Process;

/// The threads of a process, and how they wait for each other.
///
/// Each has a core of the process to itself, and stays there unless move() sends it to another: nothing is shared out
/// in time, as on the machines' own kernels. A thread that has not been started costs nothing, and one that waits costs
/// nothing either.
///
/// While more than one of them can go on, their cores run no further apart than KernelParameters::cores_apart: results
/// depend neither on the quantum nor on parking. The same holds for a core that runs without a thread of its own
/// (start_core).
class Threads {
 public:
  explicit Threads(Process& process) : process_(process) {}

  /// The first thread of the process.
  void begin(ProcessCore& own, std::uint32_t id);
  /// Starts a thread on `own`, whose `start` and `thread` are set, at `caller`'s time.
  void start(ProcessCore& own, const Core& caller);
  /// The first program counter of a thread that has been started, on its core.
  std::uint64_t enter(ProcessCore& own);
  /// A core for a new thread, or nullptr if none is free.
  ProcessCore* free_core();
  /// The thread on `own` is to go on on `to`: as soon as it comes to the kernel, which it does at its next block of
  /// instructions unless it waits. False if `to` has a thread, or expects one.
  bool move(ProcessCore& own, ProcessCore& to, const ProcessCore& caller);
  /// Where the thread on `own` is, or will go on.
  static const ProcessCore& place_of(const ProcessCore& own) {
    return own.thread.moves_to != nullptr ? *own.thread.moves_to : own;
  }
  /// The thread on `own`, which stands at `pc`, is to move: it does, and its core is idle. False if it is not to.
  bool leave_core(ProcessCore& own, std::uint64_t pc);
  /// The thread on `own` ends, and its core is idle. It is not the last.
  void finish(ProcessCore& own);
  unsigned live() const { return live_; }
  /// Lets the cores of the process run apart as far as they may: to be called when one starts or stops running.
  void adjust_cores();
  /// The thread of this number, or nullptr.
  const ProcessCore* find(std::uint32_t id) const;
  ProcessCore* find(std::uint32_t id) { return const_cast<ProcessCore*>(std::as_const(*this).find(id)); }

  enum class Wait : std::uint8_t { woken, timed_out, interrupted, signalled, stopped };
  /// The thread on `own` waits at `word` for one of `bits`; for `cycles` at the longest. A wait that no thread is left
  /// to end, nor an interrupt, kills the process with a report that says `what` is waited for, and the result is
  /// `stopped`. An interrupt breaks the wait off: its handler has been entered, and the thread will make its call
  /// again, in go_on_waiting().
  Wait wait(ProcessCore& own, std::uint64_t word, std::uint32_t bits, std::optional<CoreCycle> cycles,
            const char* what = "another thread (futex), and has none");
  /// So does a signal whose handler is due (`signalled`), which the caller's call decides about.
  /// The thread on `own` makes the call again that an interrupt has broken off.
  bool was_interrupted(const ProcessCore& own) const;
  /// Its wait goes on; it has kept its place, and may have been woken or timed out meanwhile.
  Wait go_on_waiting(ProcessCore& own);
  /// Wakes up to `most` that wait at `word` for one of `bits`, in the order of their waits. Returns how many.
  std::uint32_t wake(std::uint64_t word, std::uint32_t most, std::uint32_t bits = kAllBits);
  /// Lets up to `most` that wait at `from` wait at `to` instead. Returns how many.
  std::uint32_t requeue(std::uint64_t from, std::uint32_t most, std::uint64_t to);

  /// A signal may be due for the thread on `own`, or its core is to be called at another time. False if it does not
  /// wait.
  bool look(const ProcessCore& own);

  static constexpr std::uint32_t kAllBits = 0xFFFF'FFFF;

 private:
  struct Waiter {
    ProcessCore* own;
    std::uint64_t word;
    std::uint32_t bits;
    std::optional<CoreCycle> until;
    bool woken = false;
    bool looks = false;  ///< for signals
  };

  using Place = std::list<Waiter>::iterator;

  Wait wait(Place waiter);
  /// A thread that waits may have a handler to call. True if it has, or the process has ended.
  bool look_for_signals(ProcessCore& own);

  /// Whether an interrupt or the process's timer may let something of it run.
  bool may_be_interrupted() const;
  /// Whether no thread but `but` can go on without another's doing.
  bool all_asleep(const ProcessCore& but) const;
  /// Ends the process: no thread is left that could wake the waiting ones.
  void report_deadlock(Core& caller);
  /// No thread is on its way any longer to where the one on `own` was to move.
  static void stay(ProcessCore& own);

  Process& process_;
  /// In the order of their waits; a thread has one at most, and so has its handler. They are kept here and not on the
  /// stacks of those that wait: a run may end inside a wait.
  std::list<Waiter> waiters_;
  std::map<const ProcessCore*, Place> interrupted_;  ///< waits that are to go on
  unsigned live_ = 0;
};

}  // namespace toroid
