// SPDX-License-Identifier: Apache-2.0
#include "hw/core/spin.h"

#include <algorithm>
#include <bitset>
#include <iterator>

namespace toroid {
namespace {

// Bounds of what is followed: a loop beyond them is executed as ever.
constexpr unsigned kMaxWindow = 64;
constexpr unsigned kMaxRest = 256;
constexpr unsigned kMaxReads = 64;
constexpr unsigned kMaxStoredWords = 256;
constexpr unsigned kMaxLoadedWords = 512;
constexpr unsigned kMaxBlocks = 1024;
constexpr unsigned kMaxShown = 64;
// Below a stack pointer that a block was entered with: a function that is one block makes its frame there. It is the
// core's own stack, or the page that guards its end.
constexpr std::uint64_t kBelowStack = 4096;

template <typename Word>
const Word* find(const std::vector<Word>& words, std::uint64_t address) {
  const auto found =
      std::find_if(words.rbegin(), words.rend(), [address](const Word& word) { return word.address == address; });
  return found == words.rend() ? nullptr : &*found;
}

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

void SpinDetector::look_at_stores() {
  for (const Piece& piece : stores_) {
    for (std::uint64_t word = piece.address & ~std::uint64_t{3}; word < piece.address + piece.size; word += 4) {
      const Word* const before = find(stored_, word);
      if (before == nullptr || !is_changed(*before) || shown_.size() > kMaxShown) continue;
      shown_.push_back(piece);
      break;
    }
  }
}

bool SpinDetector::stores_are_private() const {
  const std::uint64_t begin = lowest_stack_ - std::min(lowest_stack_, kBelowStack);
  const std::uint64_t end = highest_stack_ + roles_.linkage_bytes;
  return shown_.size() <= kMaxShown && std::all_of(shown_.begin(), shown_.end(), [begin, end](const Piece& piece) {
           return piece.address >= begin && piece.address + piece.size <= end;
         });
}

void SpinDetector::tell_own_memory(std::uint64_t begin, std::uint64_t end) {
  shared_.clear();
  for (const std::vector<Word>* words : {&stored_, &loaded_}) {
    std::copy_if(words->begin(), words->end(), std::back_inserter(shared_),
                 [begin, end](const Word& word) { return word.address < begin || word.address >= end; });
  }
}

bool SpinDetector::any_changed(const std::vector<Word>& words) {
  return std::any_of(words.begin(), words.end(), [](const Word& word) { return is_changed(word); });
}

/// Keeps the words from `address` on as they are, where the turn has not stored to them before.
bool SpinDetector::follow_store(std::uint64_t address, std::uint64_t size) {
  const bool hidden = address >= hidden_.address && address + size <= hidden_.address + hidden_.size;
  if (follows_memory_ && !hidden) stores_.push_back({address, size});
  for (std::uint64_t word = address & ~std::uint64_t{3}; word < address + size; word += 4) {
    if (find(stored_, word) != nullptr) continue;
    if (stored_.size() == kMaxStoredWords) return false;
    stored_.push_back(word_at(word));
  }
  return true;
}

/// The same for words that are going to be loaded. Another core may have changed one since the turn loaded it before.
bool SpinDetector::follow_load(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t word = address & ~std::uint64_t{3}; word < address + size; word += 4) {
    if (find(stored_, word) != nullptr) continue;
    const Word* const before = find(loaded_, word);
    if (before != nullptr && is_changed(*before)) return false;
    if (before != nullptr) continue;
    if (loaded_.size() == kMaxLoadedWords) return false;
    loaded_.push_back(word_at(word));
  }
  return true;
}

/// Keeps what the block's stores are going to overwrite, given the registers at its entry, and what it loads. False if
/// an access cannot be followed. What is kept at a word's first store of the turn is its value at the turn's start,
/// whatever the sizes of the stores to it: frames of several functions lie on top of each other.
bool SpinDetector::follow(const Block& block, const RegisterSnapshot& registers) {
  return wide_ ? follow_accesses<std::uint64_t>(block.plan, registers)
               : follow_accesses<std::uint32_t>(block.plan, registers);
}

template <typename Number>
bool SpinDetector::follow_accesses(const AddressPlan& plan, const RegisterSnapshot& registers) {
  if ((follows_memory_ ? plan.unresolved() : plan.unresolved_stores()) != 0) return false;
  AddressPlan::Values<Number> values{};
  for (unsigned i = 0; i < AddressPlan::kRegisters; ++i) values[i] = static_cast<Number>(registers.values[i]);
  std::bitset<AddressPlan::kValues> told;
  plan.follow(values, told, memory_);
  return std::all_of(plan.accesses().begin(), plan.accesses().end(), [&](const PlannedAccess& access) {
    const bool load = access.kind == AccessKind::load && follows_memory_;
    if (!load && access.kind != AccessKind::store) return true;
    if (!told[access.first] || !told[access.second]) return false;
    const Number address = AddressPlan::first_moved(access, values);
    if (!memory_.contains(address, access.moved)) return load;  // a device's
    return load ? follow_load(address, access.moved) : follow_store(address, access.moved);
  });
}

void SpinDetector::on_block(const Block& block, const RegisterSnapshot& registers) {
  look_at_stores();
  stores_.clear();
  lowest_stack_ = std::min(lowest_stack_, stack_of(registers));
  highest_stack_ = std::max(highest_stack_, stack_of(registers));
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
      look_at_stores();
      if (back && head.cache_changes == head_.cache_changes && memory_unchanged() && stores_are_private()) return true;
      if (head.cache_changes != head_.cache_changes || reads_.size() == kMaxReads) give_up();
      return false;
    case Phase::candidate:
      if (back) {
        begin_turn(head);
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

void SpinDetector::begin_turn(const Head& head) {
  head_ = head;
  reads_.clear();
  stored_.clear();
  loaded_.clear();
  stores_.clear();
  shown_.clear();
  lowest_stack_ = highest_stack_ = stack_of(head.registers);
  phase_ = Phase::verifying;
}

bool SpinDetector::at_block(const Head& head) {
  const bool from_block = phase_ != Phase::idle && begins_at_block();
  const bool back = from_block && head.pc == head_.pc && head.previous == head_.previous &&
                    head.cache_changes == head_.cache_changes && head.registers == head_.registers;
  if (phase_ == Phase::verifying && !from_block) return false;
  if (phase_ == Phase::verifying) {
    look_at_stores();
    if (back && memory_unchanged() && stores_are_private()) return true;
    if (--blocks_ == 0) give_up();
  } else if (back) {
    blocks_ = kMaxBlocks;
    begin_turn(head);
  } else if (!from_block || head.cache_changes != head_.cache_changes || ++reads_since_head_ == kMaxWindow) {
    head_ = head;
    reads_since_head_ = 0;
    phase_ = Phase::candidate;
  }
  return false;
}

void SpinDetector::record(const Read& read) {
  if (phase_ != Phase::verifying) return;
  look_at_stores();
  reads_.push_back(read);
}

}  // namespace toroid
