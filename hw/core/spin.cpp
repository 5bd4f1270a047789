// SPDX-License-Identifier: Apache-2.0
#include "hw/core/spin.h"

#include <algorithm>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

// Bounds of what is followed: a loop beyond them is executed as ever.
constexpr unsigned kMaxWindow = 64;
constexpr unsigned kMaxRest = 256;
constexpr unsigned kMaxReads = 64;
constexpr unsigned kMaxStoredWords = 256;

bool is_plain_word_load(std::uint32_t word) {
  const unsigned primary = word >> 26;
  if (primary == 32 || primary == 33) return true;
  const unsigned extended = word >> 1 & 0x3FF;
  return primary == 31 && (extended == 23 || extended == 55);
}

/// Follows general purpose registers through straight-line code, as far as address arithmetic needs it.
class RegisterTracker {
 public:
  explicit RegisterTracker(const RegisterFile& registers) : values_(registers.gpr) {}

  bool knows(unsigned number) const { return known_ >> number & 1; }
  std::uint32_t operator[](unsigned number) const { return values_[number]; }
  void set(unsigned number, std::uint32_t value) {
    values_[number] = value;
    known_ |= 1u << number;
  }
  void forget(unsigned number) { known_ &= ~(1u << number); }

  bool knows_address(const MemoryAccess& access) const {
    return (access.base == 0 || knows(access.base)) && (!access.indexed || knows(access.index));
  }

  /// An instruction that accesses no memory.
  void step(std::uint32_t word) {
    const unsigned primary = word >> 26;
    const unsigned t = word >> 21 & 31;
    const unsigned a = word >> 16 & 31;
    const unsigned b = word >> 11 & 31;
    const auto immediate = static_cast<std::uint32_t>(static_cast<std::int16_t>(word));
    switch (primary) {
      case 10:
      case 11:  // compares write the condition register only
      case 16:
      case 18:
      case 19:  // branches
        return;
      case 14:
      case 15:  // addi, addis
        if (a != 0 && !knows(a)) return forget(t);
        return set(t, (a == 0 ? 0 : values_[a]) + (primary == 15 ? immediate << 16 : immediate));
      case 24:
      case 25:  // ori, oris
        if (!knows(t)) return forget(a);
        return set(a, values_[t] | (primary == 25 ? immediate << 16 : immediate & 0xFFFF));
      case 31:
        switch (word >> 1 & 0x3FF) {
          case 0:
          case 32:   // compares
          case 144:  // mtcrf
          case 467:  // mtspr
            return;
          case 266:  // add
            if (!knows(a) || !knows(b)) return forget(t);
            return set(t, values_[a] + values_[b]);
          case 444:  // or, mr
            if (!knows(t) || !knows(b)) return forget(a);
            return set(a, values_[t] | values_[b]);
          default:
            break;
        }
        break;
      default:
        break;
    }
    // Every other user instruction writes at most the general purpose registers these two fields name.
    forget(t);
    forget(a);
  }

 private:
  std::array<std::uint32_t, 32> values_;
  std::uint32_t known_ = ~std::uint32_t{0};
};

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
bool SpinDetector::keep_old_words(std::uint32_t address, std::uint32_t size) {
  for (std::uint32_t word = address & ~3u; word < address + size; word += 4) {
    if (std::any_of(stored_.rbegin(), stored_.rend(), [word](const Word& kept) { return kept.address == word; })) {
      continue;
    }
    if (stored_.size() == kMaxStoredWords) return false;
    stored_.push_back({word, load_be32(memory_.host(word))});
  }
  return true;
}

bool SpinDetector::memory_unchanged() const {
  return std::all_of(stored_.begin(), stored_.end(),
                     [this](const Word& kept) { return load_be32(memory_.host(kept.address)) == kept.value; });
}

/// Keeps what the stores of [from, end) are going to overwrite, given the registers at `from`. False where one cannot
/// be followed. What is kept at a word's first store of the turn is its value at the turn's start, whatever the sizes
/// of the stores to it: frames of several functions lie on top of each other.
bool SpinDetector::follow(std::uint32_t from, std::uint32_t end, const BlockTable& blocks,
                          const RegisterFile& registers) {
  RegisterTracker tracker(registers);
  struct Range {
    std::uint32_t address, size;
  };
  std::vector<Range> stored;
  for (std::uint32_t at = from; at != end; at += 4) {
    const std::uint32_t word = blocks.word_at(at);
    const MemoryAccess access = decode_instruction(word).memory;
    if (!access.any()) {
      tracker.step(word);
      continue;
    }
    const bool known = tracker.knows_address(access);
    const std::uint32_t address =
        known ? effective_address(access, [&tracker](unsigned number) { return tracker[number]; }) : 0;
    if (access.store) {
      if (!known || !memory_.contains(address, access.size) || !keep_old_words(address, access.size)) return false;
      stored.push_back({address, access.size});
    } else if (access.to_gpr) {
      const bool readable = known && is_plain_word_load(word) && memory_.contains(address, 4) &&
                            std::none_of(stored.begin(), stored.end(), [address](const Range& range) {
                              return address < range.address + range.size && range.address < address + 4;
                            });
      if (readable) {
        tracker.set(access.target, load_be32(memory_.host(address)));
      } else {
        tracker.forget(access.target);
      }
    } else if (access.size > 16 || word >> 26 == 46) {  // lmw
      for (unsigned number = access.target; number < 32; ++number) tracker.forget(number);
    }
    if (access.update) {
      if (known) {
        tracker.set(access.base, address);
      } else {
        tracker.forget(access.base);
      }
    }
  }
  return true;
}

void SpinDetector::on_block(const Block& block, const BlockTable& blocks, const RegisterFile& registers) {
  if (!block.steady || !follow(block.address, block.address + block.size, blocks, registers)) give_up();
}

bool SpinDetector::at_read(const Head& head, const Block& block, const BlockTable& blocks) {
  if (rest_ > 0) {
    --rest_;
    return false;
  }
  const bool back = phase_ != Phase::idle && head.pc == head_.pc && head.address == head_.address &&
                    head.registers == head_.registers && head.in_flight == head_.in_flight &&
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
        if (!block.steady || !follow(head.pc, block.address + block.size, blocks, head.registers)) give_up();
        return false;
      }
      if (++reads_since_head_ < window_) return false;
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
