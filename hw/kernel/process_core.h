// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/core/core.h"
#include "hw/isa/isa.h"
#include "hw/kernel/saved_registers.h"

namespace toroid {

/// A core's interrupt handler, and where it has interrupted.
struct InterruptHandler {
  std::uint64_t entry = 0, stack = 0;  ///< as the program points to the function; 0: none
  bool running = false;
  std::uint64_t pc = 0;
  RegisterSnapshot registers;
};

/// What a further core of a process was started with.
struct CoreStart {
  std::uint64_t entry = 0;  ///< of a thread where it begins or goes on, else as the program points to the function
  std::uint64_t stack = 0, argument = 0;
  Isa::ThreadRegisters thread{};
  std::optional<SavedRegisters> registers;  ///< of a thread: its creator's, or its own where it comes from another core
  bool moved = false;                       ///< that is so
};

/// A fault as its handler is told of it.
struct HandledFault {
  unsigned signal = 0, code = 0;
  std::uint64_t address = 0;
  bool exact = true;   ///< which instruction it was is known, so that it can be done again
  std::string report;  ///< should the process end by this signal after all
  FaultKind kind = FaultKind::other_exception;
};

/// Where a signal's handler has interrupted a thread.
struct InterruptedThread {
  SavedRegisters registers;
  std::uint64_t pc = 0;
  std::uint64_t stack = 0;            ///< the thread's stack pointer
  std::uint64_t frame = 0;            ///< the handler's (SignalFrame)
  std::uint64_t blocked = 0;          ///< signals
  std::optional<HandledFault> fault;  ///< that the handler was called for
};

struct ProcessCore;

/// A thread of a process, on the core that it has to itself.
struct Thread {
  std::uint32_t id = 0;          ///< 0: none
  std::uint64_t cleared_at = 0;  ///< a word that becomes 0 when the thread has ended; 0: none
  bool asleep = false;           ///< waits for other threads, without an end in time
  std::uint64_t blocked = 0;     ///< signals: bit n - 1 for signal n
  std::uint64_t pending = 0;     ///< signals for this thread alone
  std::uint64_t directed = 0;    ///< of these, those that have been sent to it and not to the process
  /// What it blocks again behind the handler that it waits for (sigsuspend).
  std::optional<std::uint64_t> blocked_before_wait;
  std::vector<InterruptedThread> interrupted;  ///< by handlers that run, the innermost last
  ProcessCore* moves_to = nullptr;             ///< where it goes on from the next time on that its kernel has it
  unsigned policy = 0, priority = 0;           ///< what sched_setscheduler() has set, by the machine's kernel
};

/// A core that a process has.
struct ProcessCore {
  Core* core = nullptr;
  bool has_memory = false;  ///< its engine is part of the address space
  CoreStart start;          ///< of one that the process has started, by a thread or without
  Thread thread;
  InterruptHandler handler;
  CoreIdentity identity;
  bool expects = false;                      ///< a thread of another core is on its way here
  bool resumed = false;                      ///< a call has given it other registers than those that it was made with
  std::unique_ptr<sc_core::sc_event> woken;  ///< made when the core first waits for another thread
};

}  // namespace toroid
