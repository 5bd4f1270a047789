// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/base/time.h"

namespace toroid {

/// Something that the wheel calls back. `what` and `arg` are the poster's own.
class WheelUnit {
 public:
  /// The events of a cycle come in any order: each may change only what no other event of its cycle reads or changes,
  /// unless the changes commute (adding tokens, setting a bit), and must leave every choice to settle().
  virtual void on_event(std::uint32_t what, std::uint32_t arg) = 0;
  /// Called after all events of a cycle if Wheel::settle() was called in it: chooses, in an order of the unit's
  /// own. Units settle in any order, so settling changes the unit itself and posts to later cycles only.
  virtual void settle() {}

 protected:
  ~WheelUnit() = default;
};

/// Called when an event is posted while the wheel stands still: the process that drives the wheel must wake for it.
class WheelDriver {
 public:
  virtual void posted(Cycle at) = 0;

 protected:
  ~WheelDriver() = default;
};

/// The timing wheel that all units of one network clock share.
///
/// A cycle has three phases, so that its result does not depend on the order in which its events were posted:
///
/// 1. all events of the cycle, which only deliver (WheelUnit::on_event);
/// 2. WheelUnit::settle() of each unit that has asked for it;
/// 3. services: events of what nodes share (files behind I/O nodes, progress checks), one after the other, ordered by
///    `arg`, which says whose event it is, then by `what`.
///
/// A ring of kSlots cycles, each a chain of blocks of events taken from a free list, so that posting and running touch
/// memory in order and allocate nothing once the wheel has seen its peak. Events further away wait in a heap and move
/// into the ring as it turns.
class Wheel {
 public:
  Wheel();
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  /// The cycle that is running, or the last one that ran.
  Cycle now() const { return now_; }

  /// Calls `unit.on_event(what, arg)` in cycle `at`, which must be later than now().
  void post(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg) {
    assert(at > now_ && "an event must lie in the future");
    if (at - now_ < kSlots) {
      // Field by field: an event put together elsewhere would be copied as a whole before its parts have been stored.
      Event& event = append(slot_at(at));
      event.unit = &unit;
      event.what = what;
      event.arg = arg;
    } else {
      post_far(at, Event{&unit, what, arg});
    }
    if (!running_ && driver_) driver_->posted(at);
  }

  /// The same in the cycle's last phase; `arg` says whose event it is (a node's number).
  void post_service(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg);

  /// Calls `unit.settle()` after the events of the running cycle, as often as this has been called.
  void settle(WheelUnit& unit) {
    assert(running_ && !settling_ && "units settle after events");
    to_settle_.push_back(&unit);
  }

  /// For tests: runs the events of each cycle, and settles its units, in a random order instead of the order of
  /// posting; 0: no longer. No result may depend on it.
  void shuffle(std::uint64_t seed) { shuffle_ = seed; }

  /// The earliest cycle with an event, or kNever.
  Cycle next() const;

  /// Runs every cycle up to and including `limit`; afterwards now() == limit unless hold() ended it earlier (or limit
  /// is kNever: then now() is the last cycle that had an event). May not be called from an event.
  void run_until(Cycle limit) { run(limit, true); }

  /// The same, but now() stays at the last cycle that had an event: time does not advance without need.
  void run_events(Cycle limit) { run(limit, false); }

  /// Ends the run_until in progress after cycle `at` (>= now()): something outside the wheel must act then.
  void hold(Cycle at) {
    if (at < hold_) hold_ = at;
  }

  bool running() const { return running_; }
  void set_driver(WheelDriver* driver) { driver_ = driver; }

  /// Events run since the start.
  std::uint64_t events() const { return events_; }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const;

 private:
  static constexpr unsigned kSlots = 4096;  ///< cycles ahead that need no heap; a power of two
  static constexpr unsigned kWords = kSlots / 64;
  static constexpr unsigned kBlockEvents = 31;  ///< makes a block 512 bytes
  static constexpr unsigned kBlocksPerChunk = 512;

  struct Event {
    WheelUnit* unit;
    std::uint32_t what;
    std::uint32_t arg;
  };
  /// Aligned to its size: where the events end says whether there is room for one more, so that posting reads the slot
  /// alone and only writes to the block, which waits for no cache line.
  struct alignas(512) Block {
    Block* next;
    alignas(16) std::array<Event, kBlockEvents> events;  // which so end where the block does
  };
  struct Slot {
    Block* first = nullptr;
    Event* end = nullptr;  ///< behind the last event of the last block
  };
  struct FarEvent {
    Cycle at;
    Event event;
  };

  /// Where the events of cycle `at` are.
  static constexpr unsigned slot_at(Cycle at) { return at.count() & (kSlots - 1); }
  /// The place of one more event.
  Event& append(unsigned index) {
    Event*& end = slots_[index].end;
    if (reinterpret_cast<std::uintptr_t>(end) % sizeof(Block) == 0) grow(index);  // no block yet, or a full one
    return *end++;
  }
  void run(Cycle limit, bool to_the_end);
  void grow(unsigned index);
  void post_far(Cycle at, const Event& event);
  void admit_far();
  Cycle next_in_ring() const;
  void run_slot(unsigned index);
  void run_in_order(const Slot& slot);
  void run_shuffled(const Slot& slot);
  /// Behind the last event of `block`, one of the chain of `slot`: all blocks before the last one are full.
  static const Event* end_of(const Block& block, const Slot& slot) {
    return block.next ? block.events.data() + kBlockEvents : slot.end;
  }
  void run_services();
  Block* recycle(Block* block);

  Cycle now_ = 0;
  Cycle hold_ = kNever;
  bool running_ = false;
  WheelDriver* driver_ = nullptr;
  std::uint64_t events_ = 0;
  std::uint64_t occupied_summary_ = 0;  ///< bit w: occupied_[w] has a bit set
  std::array<std::uint64_t, kWords> occupied_{};
  std::vector<Slot> slots_;
  Block* free_ = nullptr;
  std::vector<std::unique_ptr<Block[]>> chunks_;
  std::vector<FarEvent> far_;       ///< a heap, earliest first
  std::vector<FarEvent> services_;  ///< a heap, earliest first
  Cycle next_service_ = kNever;
  // Of the running cycle. --------------------------------------------------------------------------------------------
  std::vector<WheelUnit*> to_settle_;
  bool settling_ = false;
  std::uint64_t shuffle_ = 0;
};

}  // namespace toroid
