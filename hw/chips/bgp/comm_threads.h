// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <systemc>

#include "hw/kernel/node_services.h"
#include "hw/kernel/process_core.h"
#include "hw/kernel/saved_registers.h"
#include "nic/bgp/counter_lockbox.h"
#include "nic/bgp/interrupt_router.h"

namespace toroid {

/// Communication threads, and the interrupts that call functions on them.
///
/// A core can have one, beside the thread that it has to itself: created like any thread, by a program that has put a
/// magic word into USPRG0. It runs when it is created, and whenever an interrupt that is routed to its core calls a
/// function on its stack; until it gives the core back ("poof"), or the function returns. What it interrupts then goes
/// on; a core that has no other thread is idle meanwhile.
///
/// Interrupts belong to classes, each with a counter of the lockbox: 0 enabled; 1 disabled, which the kernel learns
/// when one comes: it then masks the class and sets 2. As on the machine, all of this is the node's, not a process's.
class CommThreads {
 public:
  static constexpr unsigned kCores = InterruptRouter::kCores;
  static constexpr unsigned kInterrupts = InterruptRouter::kGroups * InterruptRouter::kLines;

  /// What a program asks for an interrupt (SETCOMMTHREADCONFIG).
  struct Config {
    std::uint32_t opcode = 0;
    std::uint32_t counter_address = 0;  ///< as the program sees it; 0: no class
    std::uint32_t function = 0;
    std::array<std::uint32_t, 4> arguments{};
  };

  CommThreads(InterruptRouter& router, CounterLockbox& lockbox) : router_(router), lockbox_(lockbox) { watch_cores(); }

  // Calls. The interrupt's number is valid.
  void configure(Process& process, unsigned interrupt, const Config& config);
  const Config& config(unsigned interrupt) const { return configs_[interrupt]; }
  /// Masks the classes whose counters say so, and no others.
  void flush();
  /// Raises line `line` of the cores between each other to some of them.
  void signal(unsigned line, unsigned cores);
  /// False if the core does not run a communication thread.
  bool give_back(Process& process, ProcessCore& own);

  // NodeServices.
  void begin(Process& process, ProcessCore& own);
  std::optional<CallResult> create_thread(const Call& call, const calls::CloneArguments& arguments);
  bool end_thread(const Call& call);
  bool interrupt(Process& process, ProcessCore& own, std::uint64_t pc);
  std::optional<std::uint64_t> returned(Process& process, ProcessCore& own, std::uint64_t address);

 private:
  /// What the thread of a core runs, if it does.
  enum class Runs : std::uint8_t { nothing, its_beginning, a_function };
  struct CommThread {
    Process* process = nullptr;  ///< nullptr: the core has none
    ProcessCore* own = nullptr;
    CoreStart start;                            ///< where it begins, and its stack and registers from then on
    std::optional<SavedRegisters> interrupted;  ///< of what it has interrupted: the snapshot leaves some out
    std::uint64_t cleared_at = 0;
    Runs runs = Runs::nothing;
    bool alone = false;      ///< it has interrupted nothing
    unsigned interrupt = 0;  ///< that it serves, or will when its core has started
  };

  void watch_cores();
  /// Something that interrupts the idle core may be up.
  void wake(unsigned core);
  /// The interrupt of a core that is to be served; masks those of disabled classes.
  std::optional<unsigned> next(unsigned core);
  void set_beginning(unsigned core, bool begins);
  void enter(CommThread& thread, unsigned interrupt);
  std::optional<unsigned> counter_of(const Config& config) const;
  void mask(unsigned counter, bool masked);
  void leave(CommThread& thread);

  InterruptRouter& router_;
  CounterLockbox& lockbox_;
  std::array<Config, kInterrupts> configs_{};
  std::array<bool, kInterrupts> masked_{};
  std::array<CommThread, kCores> threads_{};
  unsigned beginning_ = 0;                      ///< a bit for each core that is to begin its thread
  std::array<sc_core::sc_event, kCores> left_;  ///< the core has been given back: others may interrupt it
};

}  // namespace toroid
