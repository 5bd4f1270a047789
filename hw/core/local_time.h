// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <systemc>
#include <utility>

#include "hw/core/block_ledger.h"
#include "hw/core/core_config.h"

namespace toroid {

/// The points of its own time at which a core lets SystemC's time come up, whatever its quantum: the first block that
/// begins at or behind each multiple of `cycles`, or, if it has accessed no device for kWatchful of them, of
/// `calm_cycles`: then it computes.
struct TimeGrid {
  CoreCycle cycles = 0;       ///< 0: there is no such point
  CoreCycle calm_cycles = 0;  ///< a multiple of `cycles`

  static constexpr std::uint64_t kWatchful = 100;

  static TimeGrid each(CoreCycle cycles) { return {cycles, cycles}; }
  bool is_used() const { return cycles != CoreCycle{0}; }
  bool operator==(const TimeGrid& other) const { return cycles == other.cycles && calm_cycles == other.calm_cycles; }
  bool operator!=(const TimeGrid& other) const { return !(*this == other); }
  bool is_calm(CoreCycle cycle, CoreCycle accessed) const { return cycle >= (accessed / cycles + kWatchful) * cycles; }
  /// The first point behind `cycle`, where the last access to a device was at `accessed`.
  CoreCycle behind(CoreCycle cycle, CoreCycle accessed) const {
    const CoreCycle step = is_calm(cycle, accessed) ? calm_cycles : cycles;
    return (cycle / step + 1) * step;
  }
};

/// A core's own time, ahead of SystemC's by at most a quantum.
///
/// A basic block takes the time of its instructions or that of its device accesses, whichever is longer: instructions
/// go on while accesses are under way. A load from a device is issued when fewer than `outstanding_reads` are in
/// flight, otherwise it waits for the oldest. Loads in flight are waited for where the basic block ends: the stand-in,
/// the same for all code, for the first use of what was loaded.
///
/// Cores of one node never act at the same instant: core n's cycles begin n picoseconds after core 0's. So what both do
/// to a device in one cycle has an order, which is that of their numbers, and SystemC's time is enough to keep it.
class LocalTime {
 public:
  using InFlight = std::array<CoreCycle, kMaxOutstandingReads>;
  static constexpr CoreCycle kForever{~std::uint64_t{0}};

  /// `number` of the core on its node; the time is kept in `ledger`. Throws std::invalid_argument if there cannot be so
  /// many outstanding reads.
  LocalTime(const CoreConfig& config, unsigned number, BlockLedger& ledger);

  /// How far the core has come; within a block, its device accesses.
  CoreCycle now() const { return ledger_.now; }
  void spend(CoreCycle cycles) { ledger_.now += cycles; }
  void reach(CoreCycle cycle) { ledger_.now = std::max(ledger_.now, cycle); }
  /// A core starts anew at `cycle` or where it is, without a block.
  void restart_at(CoreCycle cycle) {
    reach(cycle);
    ledger_.done = now();
  }

  /// Is told before SystemC's time moves on while the core stands: others may run.
  class Waits {
   public:
    virtual ~Waits() = default;
    virtual void before_wait() = 0;
  };
  void set_waits(Waits& waits) { waits_ = &waits; }

  // SystemC's time.
  sc_core::sc_time begin_of(CoreCycle cycle) const;
  CoreCycle first_cycle_at(const sc_core::sc_time& time) const;
  sc_core::sc_time time() const { return begin_of(now()); }
  /// A device has answered at `time` without waiting for it, because nothing else can act before.
  void act_from(const sc_core::sc_time& time) { acts_from_ = time; }
  /// When what the core does now takes effect: at SystemC's time, or at the last such answer.
  sc_core::sc_time acts_at() const { return std::max(acts_from_, sc_core::sc_time_stamp()); }
  /// Lets SystemC's time come up to the core's, and begins a quantum.
  void synchronise();
  void begin_quantum() { begin_quantum_at(now()); }
  /// Goes on behind a sleep that something has ended. Before the cycle `seen`, at which that can be seen, memory is
  /// shared as it was (share()). `at_block`: it goes on before a block, not within one.
  void resume(CoreCycle seen, const TimeGrid& shared_before, bool at_block) {
    seen_from_ = seen;
    shared_before_ = shared_before;
    begin_quantum_at(at_block ? now() : began_);
  }
  /// From now on SystemC's time comes up at the points of `grid`, whatever the quantum.
  void share(const TimeGrid& grid) {
    // A core that shares otherwise than before has synchronised: where it would have next is of no account.
    const CoreCycle at = grid.is_used() ? kForever : synchronise_at_;
    shared_ = grid;
    ledger_.until = 0;
    synchronise_at_ = std::min(at, next_synchronisation(now(), shared_));
  }
  const TimeGrid& shared() const { return shared_; }
  /// The core accesses a device.
  void be_watchful() {
    const CoreCycle before = std::exchange(accessed_, now());
    if (!shared_.is_used() || !shared_.is_calm(now(), before)) return;
    ledger_.until = 0;
    synchronise_at_ = next_synchronisation(now(), shared_);
  }
  /// The quantum or the time limit is used up.
  bool is_due() const { return now() >= synchronise_at_; }
  /// Sleeps until `changed` or this core's cycle `end`.
  void wait(const sc_core::sc_event& changed, CoreCycle end) const;
  void wait(const sc_core::sc_event_or_list& changes, CoreCycle end) const;
  /// Up to the limit, or to when the software is to be called; false if that has come.
  bool wait(const sc_core::sc_event_or_list& changes) const;
  /// No run goes as far.
  CoreCycle last_cycle() const;
  /// Passes `cycles`, or as many as the limit and the longest run leave.
  void sleep(CoreCycle cycles);

  void set_limit(CoreCycle limit) {
    limit_ = limit;
    ledger_.until = 0;
  }
  CoreCycle limit() const { return limit_; }
  bool is_over() const { return now() >= limit_; }
  /// When the software is to be called (Core::call_at()).
  void call_at(CoreCycle cycle) {
    called_at_ = cycle;
    ledger_.until = 0;
  }
  CoreCycle called_at() const { return called_at_; }
  sc_core::sc_time end() const { return limit_ == kForever ? sc_core::sc_max_time() : begin_of(limit_); }

  // Blocks.
  void begin_block(CoreCycle cycles) {
    began_ = now();
    ledger_.done = began_ + cycles;
  }
  void end_block() {
    reach(ledger_.done);
    if (loads_in_flight_) wait_for_loads();
  }
  CoreCycle instructions_left() const { return ledger_.done > now() ? ledger_.done - now() : CoreCycle{0}; }
  /// The code of blocks that begin before `end` and before the quantum is used up may count them (block_counting.h).
  void let_code_count(CoreCycle end) { ledger_.until = std::min({end, synchronise_at_, called_at_}); }
  /// No longer: what is done now needs a whole look at the next block.
  void stop_code() { ledger_.until = 0; }

  // Loads from devices.
  void issue_load() { reach(returns_[oldest_]); }
  void load_returns_after(CoreCycle latency) {
    returns_[oldest_] = now() + latency;
    oldest_ = oldest_ + 1 == outstanding_reads_ ? 0 : oldest_ + 1;
    loads_in_flight_ = true;
  }
  bool loads_in_flight() const { return loads_in_flight_; }
  /// Cycles until each load in flight returns, the oldest first.
  InFlight in_flight() const;

  /// Moves on by `cycles` with everything that is under way; `reads_devices`: the core has done so all the while.
  void skip(CoreCycle cycles, bool reads_devices);

 private:
  void wait_for_loads();

  /// Where the core next lets SystemC's time come up to its own.
  CoreCycle next_synchronisation(CoreCycle behind, const TimeGrid& shared) const {
    return std::min(shared.is_used() ? shared.behind(behind, accessed_) : behind + quantum_, limit_);
  }
  void begin_quantum_at(CoreCycle cycle) {
    synchronise_at_ = next_synchronisation(cycle, cycle < seen_from_ ? shared_before_ : shared_);
  }

  void before_wait() const {
    if (waits_ != nullptr) waits_->before_wait();
  }

  BlockLedger& ledger_;
  Waits* waits_ = nullptr;
  const unsigned clock_mhz_;
  const CoreCycle quantum_;
  const sc_core::sc_time phase_;  ///< of this core's clock
  CoreCycle synchronise_at_ = 0;
  CoreCycle began_ = 0;  ///< when the block did that the core is in
  sc_core::sc_time acts_from_;
  CoreCycle limit_ = kForever, called_at_ = kForever;
  TimeGrid shared_;          ///< see share()
  CoreCycle accessed_ = 0;   ///< when the core last accessed a device
  CoreCycle seen_from_ = 0;  ///< see resume()
  TimeGrid shared_before_;

  const unsigned outstanding_reads_;
  InFlight returns_{};   ///< when each load slot is free again
  unsigned oldest_ = 0;  ///< least recently used slot
  bool loads_in_flight_ = false;
};

}  // namespace toroid
