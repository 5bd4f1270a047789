// SPDX-License-Identifier: Apache-2.0
#include "torus/base/wheel.h"

#include <algorithm>
#include <functional>

namespace toroid {

Wheel::Wheel() : slots_(2 * kSlots) {
  static_assert(kWords == 64, "the summary is one word");
  static_assert(sizeof(Block) == 512);
}

Wheel::Block* Wheel::grow(unsigned index, Lane lane) {
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
  block->count = 0;
  Slot& slot = slot_of(index, lane);
  if (slot.last) {
    slot.last->next = block;
  } else {
    slot.first = block;
    occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
    occupied_summary_ |= std::uint64_t{1} << (index / 64);
  }
  slot.last = block;
  return block;
}

namespace {
struct Later {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }
};
}  // namespace

void Wheel::post_far(Cycle at, const Event& event, Lane lane) {
  far_.push_back(FarEvent{at, far_order_++, event, lane});
  std::push_heap(far_.begin(), far_.end(), Later{});
}

void Wheel::admit_far() {
  while (!far_.empty() && far_.front().at - now_ < kSlots) {
    append(slot_at(far_.front().at), far_.front().event, far_.front().lane);
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
  return ring != kNever || far_.empty() ? ring : far_.front().at;
}

Wheel::Block* Wheel::recycle(Block* block) {
  Block* next = block->next;
  block->next = free_;
  free_ = block;
  return next;
}

void Wheel::run_slot(unsigned index) {
  // Nothing can be posted to the running cycle, so the chains stand still while they are walked.
  Block* outside = slot_of(index, Lane::outside).first;
  Block* block = slot_of(index, Lane::inside).first;
  slot_of(index, Lane::outside) = slot_of(index, Lane::inside) = Slot{};
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  if (!occupied_[index / 64]) occupied_summary_ &= ~(std::uint64_t{1} << (index / 64));
  if (outside) run_outside(outside);
  while (block) {
    const std::uint32_t count = block->count;
    constexpr unsigned kAhead = 4;  // far enough for a line to come from memory, near enough to be there still
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(block->events[i + kAhead].unit);
      const Event& event = block->events[i];
      event.unit->on_event(event.what, event.arg);
    }
    events_ += count;
    block = recycle(block);
  }
}

void Wheel::run_outside(Block* block) {
  while (block) {
    outside_.insert(outside_.end(), block->events.begin(), block->events.begin() + block->count);
    block = recycle(block);
  }
  const auto earlier = [](const Event& a, const Event& b) {
    if (a.unit != b.unit) return std::less<const WheelUnit*>()(a.unit, b.unit);
    return a.what != b.what ? a.what < b.what : a.arg < b.arg;
  };
  std::sort(outside_.begin(), outside_.end(), earlier);
  for (const Event& event : outside_) event.unit->on_event(event.what, event.arg);
  events_ += outside_.size();
  outside_.clear();
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
  }
  running_ = false;
}

std::size_t Wheel::memory_bytes() const {
  return sizeof(*this) + slots_.capacity() * sizeof(Slot) + chunks_.size() * kBlocksPerChunk * sizeof(Block) +
         far_.capacity() * sizeof(FarEvent) + outside_.capacity() * sizeof(Event);
}

}  // namespace toroid
