// SPDX-License-Identifier: Apache-2.0
#include "hw/core/spin.h"

#include <algorithm>
#include <bitset>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

// Bounds of what is followed: a loop beyond them is executed as ever.
constexpr unsigned kMaxWindow = 64;
constexpr unsigned kMaxRest = 256;
constexpr unsigned kMaxReads = 64;
constexpr unsigned kMaxStoredWords = 256;

}  // namespace

void SpinDetector::reset() {
  phase_ = Phase::idle;
  window_ = kFirstWindow;
  rest_ = next_rest_ = 0;
}

void SpinDetector::give_up() {
  phase_ = Phase::idle;
  window_ = kFirstWindow;
  rest_ = next_rest_ = std::min(std::max(2 * next_rest_, 4u), kMaxRest);
}

/// Keeps the words from `address` on as they are, where the turn has not stored to them before.
bool SpinDetector::keep_old_words(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t word = address & ~std::uint64_t{3}; word < address + size; word += 4) {
    if (std::any_of(stored_.rbegin(), stored_.rend(),
                    [word](const StoredWord& kept) { return kept.address == word; })) {
      continue;
    }
    if (stored_.size() == kMaxStoredWords) return false;
    stored_.push_back({word, load_be32(memory_.host(word))});
  }
  return true;
}

bool SpinDetector::memory_unchanged() const {
  return std::all_of(stored_.begin(), stored_.end(),
                     [this](const StoredWord& kept) { return load_be32(memory_.host(kept.address)) == kept.value; });
}

/// Keeps what the block's stores are going to overwrite, given the registers at its entry. False if one cannot be
/// followed. What is kept at a word's first store of the turn is its value at the turn's start, whatever the sizes of
/// the stores to it: frames of several functions lie on top of each other.
bool SpinDetector::follow(const Block& block, const RegisterSnapshot& registers) {
  return wide_ ? follow_stores<std::uint64_t>(block.plan, registers)
               : follow_stores<std::uint32_t>(block.plan, registers);
}

template <typename Word>
bool SpinDetector::follow_stores(const AddressPlan& plan, const RegisterSnapshot& registers) {
  if (plan.unresolved_stores() != 0) return false;
  AddressPlan::Values<Word> values{};
  for (unsigned i = 0; i < AddressPlan::kRegisters; ++i) values[i] = static_cast<Word>(registers.values[i]);
  std::bitset<AddressPlan::kValues> told;
  plan.follow(values, told, memory_);
  return std::all_of(plan.accesses().begin(), plan.accesses().end(), [&](const PlannedAccess& access) {
    if (access.kind != AccessKind::store) return true;
    if (!told[access.first] || !told[access.second]) return false;
    const Word address = AddressPlan::first_moved(access, values);
    return memory_.contains(address, access.moved) && keep_old_words(address, access.moved);
  });
}

void SpinDetector::on_block(const Block& block, const RegisterSnapshot& registers) {
  if (!block.steady || !follow(block, registers)) give_up();
}

bool SpinDetector::passes(std::uint64_t pc, std::uint64_t address, std::uint64_t cache_changes) {
  if (rest_ > 0) {
    --rest_;
    return true;
  }
  const bool other = pc != head_.pc || address != head_.address;
  switch (phase_) {
    case Phase::verifying:
      if (other && (cache_changes != head_.cache_changes || reads_.size() == kMaxReads)) give_up();
      return other;
    case Phase::candidate:
      return other && ++reads_since_head_ < window_;
    case Phase::idle:
      break;
  }
  return false;
}

bool SpinDetector::at_read(const Head& head, const Block& block, BlockTable& blocks) {
  const bool same = phase_ != Phase::idle && head.pc == head_.pc && head.address == head_.address;
  const bool back = same && head.registers == head_.registers && head.in_flight == head_.in_flight &&
                    head.instructions_left == head_.instructions_left;
  switch (phase_) {
    case Phase::verifying:
      // Registers alike and memory not: perhaps a turn goes through here several times, from several callers.
      if (back && head.cache_changes == head_.cache_changes && memory_unchanged()) return true;
      if (head.cache_changes != head_.cache_changes || reads_.size() == kMaxReads) give_up();
      return false;
    case Phase::candidate:
      if (back) {
        head_ = head;
        reads_.clear();
        stored_.clear();
        phase_ = Phase::verifying;
        // The rest of the block the head stands in belongs to the turn.
        const auto rest = static_cast<std::uint32_t>(block.address + block.size - head.pc);
        if (!block.steady || !follow(blocks.find(head.pc, rest), head.registers)) give_up();
        return false;
      }
      if (same && ++reads_since_head_ < window_) return false;
      window_ = std::min(2 * window_, kMaxWindow);
      break;
    case Phase::idle:
      break;
  }
  head_ = head;
  reads_since_head_ = 0;
  phase_ = Phase::candidate;
  return false;
}

void SpinDetector::record(const Read& read) {
  if (phase_ == Phase::verifying) reads_.push_back(read);
}

}  // namespace toroid
