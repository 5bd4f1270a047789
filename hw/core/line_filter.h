// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/isa/address_plan.h"
#include "hw/isa/line_size.h"

namespace toroid {

/// Some of the lines that a first-level cache holds, by the software's line numbers (address / line size): answers most
/// hits with one look. Direct-mapped.
///
/// Where stores pass the first level (write_policy.h), dirty means that the last level holds the line and has it dirty,
/// and a line may be dirty without being in the first level.
///
/// An entry is the address of the line's last byte, but for the five low bits, which are the line's state; zero is an
/// empty entry. Its size is that of the instruction set's addresses, so that a 32-bit core's filter takes half of the
/// host's cache.
class LineFilter {
 public:
  static constexpr std::uint64_t kEntries = 2048;
  static_assert(LineSize::kLeast > PlannedAccess::kAllState);

  /// `word_bytes` of an address: 4 or 8.
  LineFilter(unsigned word_bytes, LineSize line)
      : line_(line), narrow_(word_bytes == 8 ? 0 : kEntries), wide_(word_bytes == 8 ? kEntries : 0) {}

  /// Whether the bytes from `first` to `last` lie in one line, and its entry has the state `expects`; the bits of
  /// `accepts` do not matter. (Where they lie in two lines, the first one's entry is not the second one's.)
  template <typename Word>
  bool matches(Word first, Word last, Word expects, Word accepts) const {
    return (entries<Word>()[line_.number(first) % kEntries] | accepts) ==
           ((last | (line_.bytes() - 1)) ^ (PlannedAccess::kAllState ^ expects));
  }

  /// The entries, which stay where they are: kEntries words.
  const void* entries() const { return narrow_.empty() ? static_cast<const void*>(wide_.data()) : narrow_.data(); }
  bool has(std::uint64_t line) const { return (entry(line) | PlannedAccess::kDirty) == entry_of(line, true); }
  void add(std::uint64_t line, bool dirty) { set(line, entry_of(line, dirty)); }
  void remove(std::uint64_t line) {
    if (has(line)) set(line, 0);
  }
  /// The line is dirty in the level where stores go, be it in the first level or not.
  void add_stored(std::uint64_t line) { set(line, entry_of(line, true) ^ (has(line) ? 0 : PlannedAccess::kPresent)); }
  /// It is dirty there no longer.
  void remove_stored(std::uint64_t line) {
    if (has(line)) {
      set(line, entry_of(line, false));
    } else if (entry(line) == (entry_of(line, true) ^ PlannedAccess::kPresent)) {
      set(line, 0);
    }
  }
  void clear() {
    std::fill(narrow_.begin(), narrow_.end(), 0);
    std::fill(wide_.begin(), wide_.end(), 0);
  }

 private:
  std::uint64_t entry(std::uint64_t line) const {
    return narrow_.empty() ? wide_[line % kEntries] : narrow_[line % kEntries];
  }
  std::uint64_t entry_of(std::uint64_t line, bool dirty) const {
    return (line_.address(line) | (line_.bytes() - 1)) ^ (dirty ? 0 : PlannedAccess::kDirty);
  }
  template <typename Word>
  const Word* entries() const {
    if constexpr (sizeof(Word) == 8) {
      return wide_.data();
    } else {
      return narrow_.data();
    }
  }
  void set(std::uint64_t line, std::uint64_t entry) {
    if (narrow_.empty()) {
      wide_[line % kEntries] = entry;
    } else {
      narrow_[line % kEntries] = static_cast<std::uint32_t>(entry);
    }
  }

  const LineSize line_;
  std::vector<std::uint32_t> narrow_;  ///< one of the two is empty
  std::vector<std::uint64_t> wide_;
};

}  // namespace toroid
