// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/core/block_ledger.h"
#include "hw/core/local_time.h"
#include "hw/isa/block.h"
#include "torus/base/parameter.h"

namespace toroid {

class IssueShare;

/// Cores of a chip that are hardware threads of one processor, and share what it can issue.
struct IssueConfig {
  unsigned threads = 1;  ///< of each processor; 1: nothing is shared

  void visit_parameters(ParameterVisitor& visitor);
};

/// For how much of its time a thread competes for what each unit can issue, in sixteenths; 0: it does not.
struct IssueWants {
  static constexpr unsigned kWhole = 16;
  std::array<std::uint8_t, kIssueUnits> parts{};
  bool operator==(const IssueWants& other) const { return parts == other.parts; }
};

/// The hardware threads of one processor, each a Core.
///
/// What a thread wants of the units changes at a time of its own: it falls asleep, begins with floating point, or has
/// waited for memory or devices in another part of the last `apart` cycles. The others see that at the first block that
/// begins at or behind the next multiple of `apart` cycles of their own time, which they reach only when SystemC's time
/// has passed the change. So it depends neither on the quantum nor on parking.
class IssueGroup {
 public:
  static constexpr unsigned kMostThreads = 4;

  /// `apart`: cores that share memory synchronise at the multiples of as many cycles (Core::share_memory()).
  explicit IssueGroup(CoreCycle apart) : apart_(apart) {}

  CoreCycle apart() const { return apart_; }
  /// Returns its place. Throws std::invalid_argument if there is none.
  unsigned add(IssueShare& thread);
  /// The thread at `place` wants this from `at` on.
  void tell(unsigned place, const IssueWants& wants, const sc_core::sc_time& at);
  /// Before the simulation: the thread at `place` runs from its beginning, with a process that no thread of another
  /// `software` belongs to.
  void begin(unsigned place, const void* software);
  /// Threads of several processes compete: what one does may concern another at any time.
  bool has_several_processes() const { return several_processes_; }

 private:
  const CoreCycle apart_;
  std::vector<IssueShare*> threads_;
  const void* software_ = nullptr;
  bool several_processes_ = false;
};

/// One thread's part in its group: what it wants, and what a block costs at least with what the others leave.
class IssueShare {
 public:
  /// Is told that another thread's wants have changed.
  class Client {
   public:
    virtual void on_issue_change() = 0;

   protected:
    ~Client() = default;
  };

  IssueShare(IssueGroup& group, const LocalTime& time, BlockLedger& ledger, Client& client);

  IssueGroup& group() { return group_; }
  /// Before the simulation: it runs from its beginning.
  void begin(const void* software);
  /// The thread begins to compete, or no longer does, at `at`.
  void wake_up(const sc_core::sc_time& at) { set_awake(true, at); }
  void fall_asleep(const sc_core::sc_time& at) { set_awake(false, at); }

  /// A block begins now. True if what the others leave has changed for it.
  bool begin_block(const Block& block);
  /// Of its time, the block waits so long for what its caches do not hold: meanwhile the thread issues nothing.
  void wait_for_memory(CoreCycle cycles);
  /// From `begin` to now the thread has waited for a device, and issued nothing.
  void has_waited(CoreCycle begin);
  /// The first cycle at which begin_block() must be called again.
  CoreCycle next_look() const;
  /// What the block takes at least.
  CoreCycle least_cycles(const Block& block) const {
    CoreCycle least = cost(block.issues[0], ledger_.issue_costs[0]);
    for (unsigned unit = 1; unit < kIssueUnits; ++unit)
      least = std::max(least, cost(block.issues[unit], ledger_.issue_costs[unit]));
    return least;
  }
  /// Nothing that is known by now will change what blocks cost: a polling loop may be left out.
  bool is_settled() const { return pending_.empty() && !uses_floating_ && !measures_; }

  // Fixed point numbers: cycles of a slot.
  static constexpr unsigned kFractionBits = 8, kOne = 1u << kFractionBits;
  static CoreCycle cost(std::uint64_t slots, std::uint64_t cycles_each) {
    return CoreCycle{(slots * cycles_each + kOne - 1) >> kFractionBits};
  }

 private:
  friend class IssueGroup;

  struct Change {
    CoreCycle from;
    unsigned place;
    IssueWants wants;
  };
  using Others = std::array<IssueWants, IssueGroup::kMostThreads>;

  IssueWants wants() const;
  void set_awake(bool awake, const sc_core::sc_time& at);
  void set_floating(bool uses);
  /// It waits at `cycle`: the step of the grid is measured.
  void measure(CoreCycle cycle);
  void begin_measuring(CoreCycle from);
  void end_measuring();
  /// The thread at `place` wants this from `at` on.
  void change(unsigned place, const IssueWants& wants, const sc_core::sc_time& at);
  bool apply_changes();
  void work_out_costs();

  IssueGroup& group_;
  const LocalTime& time_;
  BlockLedger& ledger_;
  Client& client_;
  unsigned place_ = 0;
  bool awake_ = false;
  bool uses_floating_ = false;
  // The part of its time in which it waits for neither memory nor devices: measured from one multiple of `apart` to the
  // next as long as it does wait, so that a loop that waits for none is as all its turns are.
  unsigned present_ = IssueWants::kWhole;
  bool measures_ = false;
  CoreCycle measured_from_ = 0, measured_until_ = 0;
  CoreCycle waited_ = 0;
  CoreCycle woke_up_ = 0;
  Others others_{};
  CoreCycle looked_ = 0;         ///< begin_block()
  std::vector<Change> pending_;  ///< in the order in which they take effect
};

}  // namespace toroid
