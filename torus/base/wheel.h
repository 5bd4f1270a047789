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

/// Something the wheel calls back. `what` and `arg` are the poster's own.
class WheelUnit {
 public:
  virtual void on_event(std::uint32_t what, std::uint32_t arg) = 0;

 protected:
  ~WheelUnit() = default;
};

/// Told when an event is posted while the wheel stands still: whoever drives the wheel must wake for it.
class WheelDriver {
 public:
  virtual void posted(Cycle at) = 0;

 protected:
  ~WheelDriver() = default;
};

/// The timing wheel that all units of one network clock share. Events of one cycle run in the order they were posted;
/// those posted from outside (post_outside) run before them, in an order of their own.
///
/// A ring of kSlots cycles, each a chain of blocks of events taken from a free list, so that posting and running touch
/// memory in order and allocate nothing once the wheel has seen its peak. Events further away wait in a heap and move
/// into the ring as it turns, before anything can be posted directly to their cycle: the order of posting holds for
/// them too.
class Wheel {
 public:
  Wheel();
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  /// The cycle that is running, or the last one that ran.
  Cycle now() const { return now_; }

  /// Calls `unit.on_event(what, arg)` in cycle `at`; `at` must be later than now().
  void post(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg) {
    post(at, Event{&unit, what, arg}, Lane::inside);
  }

  /// The same for what devices do. Who comes first among devices, and whether ahead of the network or not, is a matter
  /// of how far cores happen to run ahead of SystemC's time; so these events run before all others of their cycle,
  /// ordered by unit, then `what`, then `arg`. The units must lie in one array: their addresses then order them alike
  /// in every run.
  void post_outside(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg) {
    post(at, Event{&unit, what, arg}, Lane::outside);
  }

  /// The earliest cycle with an event, or kNever.
  Cycle next() const;

  /// Runs every cycle up to and including `limit`; afterwards now() == limit unless hold() ended it earlier (or limit
  /// is kNever: then now() is the last cycle that had an event). May not be called from an event.
  void run_until(Cycle limit) { run(limit, true); }

  /// The same, but now() stays at the last cycle that had an event: time nobody needs has not passed.
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
  struct Block {
    Block* next;
    std::uint32_t count;
    std::array<Event, kBlockEvents> events;
  };
  struct Slot {
    Block* first = nullptr;
    Block* last = nullptr;
  };
  enum class Lane : std::uint8_t { inside, outside };
  struct FarEvent {
    Cycle at;
    std::uint64_t order;
    Event event;
    Lane lane;
  };

  void post(Cycle at, const Event& event, Lane lane) {
    assert(at > now_ && "an event must lie in the future");
    if (at - now_ < kSlots) {
      append(slot_at(at), event, lane);
    } else {
      post_far(at, event, lane);
    }
    if (!running_ && driver_) driver_->posted(at);
  }
  /// Where the events of cycle `at` are.
  static constexpr unsigned slot_at(Cycle at) { return at.count() & (kSlots - 1); }
  void append(unsigned index, const Event& event, Lane lane) {
    Slot& slot = slot_of(index, lane);
    Block* block = slot.last;
    if (!block || block->count == kBlockEvents) block = grow(index, lane);
    block->events[block->count++] = event;
  }
  Slot& slot_of(unsigned index, Lane lane) { return slots_[lane == Lane::inside ? index : kSlots + index]; }
  void run(Cycle limit, bool to_the_end);
  Block* grow(unsigned index, Lane lane);
  void post_far(Cycle at, const Event& event, Lane lane);
  void admit_far();
  Cycle next_in_ring() const;
  void run_slot(unsigned index);
  void run_outside(Block* block);
  Block* recycle(Block* block);

  Cycle now_ = 0;
  Cycle hold_ = kNever;
  bool running_ = false;
  WheelDriver* driver_ = nullptr;
  std::uint64_t events_ = 0;
  std::uint64_t far_order_ = 0;
  std::uint64_t occupied_summary_ = 0;  ///< bit w: occupied_[w] has a bit set
  std::array<std::uint64_t, kWords> occupied_{};
  std::vector<Slot> slots_;  ///< kSlots of the inside, then kSlots of the outside
  Block* free_ = nullptr;
  std::vector<std::unique_ptr<Block[]>> chunks_;
  std::vector<FarEvent> far_;   ///< a heap, earliest first
  std::vector<Event> outside_;  ///< of the running cycle
};

}  // namespace toroid
