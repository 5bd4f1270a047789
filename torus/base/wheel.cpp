// SPDX-License-Identifier: Apache-2.0
#include "torus/base/wheel.h"

#include <algorithm>
#include <utility>

#include "torus/base/random.h"

namespace toroid {

Wheel::Wheel() : slots_(kSlots) {
  static_assert(kWords == 64, "the summary is one word");
  static_assert(sizeof(Block) == 512 && offsetof(Block, events) + sizeof(Block::events) == sizeof(Block),
                "events end where their block does");
}

void Wheel::grow(unsigned index) {
  if (!free_) {
    chunks_.push_back(std::make_unique<Block[]>(kBlocksPerChunk));
    Block* chunk = chunks_.back().get();
    for (unsigned i = 0; i < kBlocksPerChunk; ++i) {
      chunk[i].next = free_;
      free_ = &chunk[i];
    }
  }
  Block* block = free_;
  free_ = block->next;
  block->next = nullptr;
  Slot& slot = slots_[index];
  if (slot.end) {
    (reinterpret_cast<Block*>(slot.end) - 1)->next = block;
  } else {
    slot.first = block;
    occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
    occupied_summary_ |= std::uint64_t{1} << (index / 64);
  }
  slot.end = block->events.data();
}

namespace {
struct Later {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a.at > b.at;
  }
};

/// Services of a cycle: by whose they are, then by what they are.
struct LaterService {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    if (a.at != b.at) return a.at > b.at;
    return a.event.arg != b.event.arg ? a.event.arg > b.event.arg : a.event.what > b.event.what;
  }
};
}  // namespace

void Wheel::post_far(Cycle at, const Event& event) {
  far_.push_back(FarEvent{at, event});
  std::push_heap(far_.begin(), far_.end(), Later{});
}

void Wheel::post_service(Cycle at, WheelUnit& unit, std::uint32_t what, std::uint32_t arg) {
  assert(at > now_ && "an event must lie in the future");
  services_.push_back(FarEvent{at, Event{&unit, what, arg}});
  std::push_heap(services_.begin(), services_.end(), LaterService{});
  next_service_ = services_.front().at;
  if (!running_ && driver_) driver_->posted(at);
}

void Wheel::admit_far() {
  while (!far_.empty() && far_.front().at - now_ < kSlots) {
    append(slot_at(far_.front().at)) = far_.front().event;
    std::pop_heap(far_.begin(), far_.end(), Later{});
    far_.pop_back();
  }
}

Cycle Wheel::next_in_ring() const {
  if (!occupied_summary_) return kNever;
  // Slots hold the cycles now_+1 .. now_+kSlots-1; look from the slot after now_'s on, around the ring.
  const unsigned start = slot_at(now_ + 1);
  const unsigned word = start / 64;
  const std::uint64_t here = occupied_[word] & (~std::uint64_t{0} << (start % 64));
  unsigned index;
  if (here) {
    index = word * 64 + __builtin_ctzll(here);
  } else {
    const std::uint64_t later = word == 63 ? 0 : occupied_summary_ & (~std::uint64_t{0} << (word + 1));
    const unsigned found = __builtin_ctzll(later ? later : occupied_summary_);
    index = found * 64 + __builtin_ctzll(occupied_[found]);
  }
  return now_ + 1 + ((index - start) & (kSlots - 1));
}

Cycle Wheel::next() const {
  const Cycle ring = next_in_ring();
  return std::min(ring != kNever || far_.empty() ? ring : far_.front().at, next_service_);
}

Wheel::Block* Wheel::recycle(Block* block) {
  Block* next = block->next;
  block->next = free_;
  free_ = block;
  return next;
}

void Wheel::run_slot(unsigned index) {
  // Nothing can be posted to the running cycle, so the chain stands still while it is walked.
  const Slot slot = std::exchange(slots_[index], Slot{});
  const unsigned word = index / 64;
  occupied_[word] &= ~(std::uint64_t{1} << (index % 64));
  const bool more = occupied_[word] != 0;
  occupied_summary_ = (occupied_summary_ & ~(std::uint64_t{1} << word)) | std::uint64_t{more} << word;
  if (shuffle_ != 0) {
    run_shuffled(slot);
  } else {
    run_in_order(slot);
  }
  settling_ = true;
  for (WheelUnit* const unit : to_settle_) unit->settle();
  to_settle_.clear();
  settling_ = false;
}

void Wheel::run_in_order(const Slot& slot) {
  for (Block* block = slot.first; block; block = recycle(block)) {
    const auto count = static_cast<unsigned>(end_of(*block, slot) - block->events.data());
    constexpr unsigned kAhead = 4;  // far enough for a line to come from memory, near enough to be there still
    for (unsigned i = 0; i < count; ++i) {
      // Past the last one it fetches what is not needed, which is cheaper than to find out.
      __builtin_prefetch(block->events[std::min(i + kAhead, kBlockEvents - 1)].unit);
      const Event& event = block->events[i];
      event.unit->on_event(event.what, event.arg);
    }
    events_ += count;
  }
}

void Wheel::run_services() {
  while (next_service_ == now_) {
    const Event event = services_.front().event;
    std::pop_heap(services_.begin(), services_.end(), LaterService{});
    services_.pop_back();
    next_service_ = services_.empty() ? kNever : services_.front().at;
    ++events_;
    event.unit->on_event(event.what, event.arg);
  }
}

void Wheel::run_shuffled(const Slot& slot) {
  std::vector<Event> events;
  for (Block* block = slot.first; block; block = recycle(block)) {
    const Event* const first = block->events.data();
    events.insert(events.end(), first, end_of(*block, slot));
  }
  toroid::shuffle(events, shuffle_);
  for (const Event& event : events) event.unit->on_event(event.what, event.arg);
  events_ += events.size();
  toroid::shuffle(to_settle_, shuffle_);
}

void Wheel::run(Cycle limit, bool to_the_end) {
  assert(!running_ && "the wheel does not run inside an event");
  running_ = true;
  hold_ = kNever;
  while (true) {
    const Cycle end = std::min(limit, hold_);
    if (now_ >= end) break;
    const Cycle at = next();
    if (at == kNever && end == kNever) break;
    if (at > end) {
      if (!to_the_end) break;
      now_ = end;
      admit_far();
      break;
    }
    now_ = at;
    // A far event that is due now must enter its slot before the slot runs; its slot is free of the turn before.
    admit_far();
    run_slot(slot_at(now_));
    if (next_service_ == now_) run_services();
  }
  running_ = false;
}

std::size_t Wheel::memory_bytes() const {
  return sizeof(*this) + slots_.capacity() * sizeof(Slot) + chunks_.size() * kBlocksPerChunk * sizeof(Block) +
         (far_.capacity() + services_.capacity()) * sizeof(FarEvent) + to_settle_.capacity() * sizeof(WheelUnit*);
}

}  // namespace toroid
