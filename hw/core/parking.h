// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/core/core_counters.h"
#include "hw/core/core_state.h"
#include "hw/core/interrupt_sampler.h"
#include "hw/core/issue_group.h"
#include "hw/core/local_time.h"
#include "hw/core/memory_readers.h"
#include "hw/core/reserved_granule.h"
#include "hw/core/spin.h"

namespace toroid {

/// Lets a core sleep that polls unchanged devices in a steady loop (spin.h tells why that is sound). When a device has
/// changed, the core's time and counters move on by whole turns, and what the turn that goes on reads before the change
/// is answered from what every turn read there.
///
/// Where other cores write memory, what the loop has loaded is looked at whenever one of them has run. A change wakes
/// the core as one of a device does; what its turn reads before it can see the change is then the old value: it is put
/// back for the time being, and nobody else runs until the new one stands there again.
class Parking : public MemoryReader, private LocalTime::Waits {
 public:
  Parking(const MemoryView& memory, unsigned word_bytes, const RegisterRoles& roles, LocalTime& time,
          CoreCounters& counters, RunState& run, InterruptSampler& interrupts)
      : memory_(memory),
        time_(time),
        counters_(counters),
        run_(run),
        interrupts_(interrupts),
        spin_(memory, word_bytes, roles) {}

  /// From now on the core can sleep while others write memory, if it knows of that (watch_memory()).
  void set_readers(MemoryReaders& readers) {
    readers_ = &readers;
    time_.set_waits(*this);
  }
  /// The core shares what its processor can issue.
  void set_issue(const IssueShare& issue) { issue_ = &issue; }
  /// The core's reservation, as far as others can break it.
  void set_reservation(ReservedGranule& reservation) { reservation_ = &reservation; }
  /// Other cores write memory while this one runs. Or no longer. Where `hidden`, they do not see its process's own.
  void watch_memory(bool watch, bool hidden) {
    watches_ = watch && readers_ != nullptr;
    hidden ? spin_.follow_memory(watches_, memory_.base(), memory_.end()) : spin_.follow_memory(watches_);
  }
  bool watches_memory() const { return watches_; }
  /// The core is about to let others run.
  void before_wait() override;
  // MemoryReader.
  void look(const sc_core::sc_time& at) override;
  void look_after(std::uint64_t own, const sc_core::sc_time& at) override;

  /// Whether at_block() is to be told of a block. `due`: SystemC's time has come up to the core's.
  bool wants_block(bool due) const { return watches_ && (due || spin_.verifies_from_block()); }
  /// The core is about to enter the block at `pc` behind `previous`. Where the loop is steady, it sleeps.
  void at_block(std::uint64_t pc, const Block* previous, std::uint64_t cache_changes, const Engine& engine);

  /// The core did something that a steady turn may not contain.
  void forget_loop() { spin_.reset(); }
  /// The same, and no read is answered any more: a core starts anew.
  void restart() {
    spin_.reset();
    restore_memory();
    replay_until_ = 0;
  }
  /// True while every block must be given to on_block().
  bool verifies() const { return spin_.verifying(); }
  void on_block(const Block& block, const RegisterSnapshot& registers) { spin_.on_block(block, registers); }
  /// The loop that the core is parked in reads devices.
  bool reads_devices() const { return !spin_.turn().empty(); }

  /// The core does again what every turn did, before the change that has ended the last parking.
  bool replays() const { return time_.now() < replay_until_; }
  /// Answers a pure read that comes before the change that has ended the last parking. False if the device must be
  /// asked.
  bool answer(std::uint8_t* data, unsigned size);
  /// Where the core stands when it is about to ask a device.
  struct Place {
    std::uint64_t pc;
    std::uint64_t address;
    std::uint64_t cache_changes;
    const Block& block;
    BlockTable& blocks;
  };
  void before_read(const Place& place, const Engine& engine);
  /// `device` has answered after `delay`, at `address` on the bus. Where the loop is steady, the core sleeps until a
  /// device of the turn changes or the limit comes.
  void after_read(const WatchedDevice& device, std::uint64_t address, CoreCycle delay, const std::uint8_t* data,
                  unsigned size);

  /// Ends parking; changes no result. What has changed can be seen from `at` on.
  void wake(const sc_core::sc_time& at = sc_core::sc_time_stamp());

  // While parked.
  std::uint64_t pc() const { return head_.pc; }
  /// The device registers that the loop polls, by name: each once.
  std::vector<std::string> polled() const;
  /// The core as it was at the last read that the loop would have made by now.
  CoreCounters counters_now() const;
  CoreCycle last_read() const;

  /// How often the core has parked.
  std::uint64_t times() const { return times_; }

 private:
  /// Nothing outside memory and devices is known to change the turns.
  bool may_park() const { return !interrupts_.changed() && (issue_ == nullptr || issue_->is_settled()); }
  bool is_steady(const std::uint8_t* data, unsigned size, CoreCycle delay) const;
  void park();
  void watch_devices();
  /// Sleeps until something changes. Returns the first cycle that can see it; false if the core has been stopped.
  bool sleep(CoreCycle& visible);
  void skip_turns(CoreCycle visible, const TimeGrid& grid);
  /// The physical address at which the process's own memory begins.
  std::uint64_t own_memory() const { return memory_.physical(memory_.base()); }
  void hold_back();
  void restore_memory();
  const SpinDetector::Read& read_at(CoreCycle passed) const;
  CoreCycle turn_length() const { return head_.time - spin_.turn_start().time; }
  CoreCycle passed() const;

  /// A word that has a new value, which the core cannot see yet.
  struct Held {
    std::uint64_t address;
    std::uint32_t old_value, new_value;
  };

  const MemoryView& memory_;
  LocalTime& time_;
  CoreCounters& counters_;
  RunState& run_;
  InterruptSampler& interrupts_;
  MemoryReaders* readers_ = nullptr;
  const IssueShare* issue_ = nullptr;
  ReservedGranule* reservation_ = nullptr;
  bool watches_ = false;
  bool looks_ = false;  ///< it is among the readers
  std::uint64_t reads_at_grid_ = 0;
  unsigned quiet_ = 0;  ///< points of the grid since a device was read
  /// So many of them, and the loop that has read it is over.
  static constexpr unsigned kQuiet = 64;
  std::vector<Held> held_;
  SpinDetector spin_;
  SpinDetector::Head head_;  ///< of the read under way; while parked, the turn begins with it
  bool closes_ = false;      ///< a verified turn ends at that read

  CoreCycle replay_until_ = 0;  ///< pure reads before this cycle are answered from the turn that parked
  std::size_t replay_next_ = 0;
  std::vector<const WatchedDevice*> devices_;  ///< of the loop that the core is parked in
  sc_core::sc_event_or_list changes_;
  sc_core::sc_event woken_;
  bool wake_ = false;
  sc_core::sc_time wake_at_;
  std::uint64_t times_ = 0;
};

}  // namespace toroid
