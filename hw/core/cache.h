// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace toroid {

/// Which lines a set-associative cache holds; it knows of no time and no data.
///
/// Replacement is round robin: each set has a victim index, which advances with each fill. A hit changes nothing. The
/// description's `cache` parameters say where a machine's policy is documented.
class CacheSets {
 public:
  /// `lines` and `ways` are powers of two, ways at most lines (MemoryConfig::validate()). A line is named by its
  /// number: its address divided by its size, below 2^27. The host commits what is used.
  CacheSets(std::uint32_t lines, std::uint32_t ways);

  struct Victim {
    bool present = false;
    bool dirty = false;
    std::uint32_t line = 0;
  };

  bool contains(std::uint32_t line) const { return find(line) != nullptr; }
  bool is_dirty(std::uint32_t line) const;
  /// Brings in a line that is not there; returns what it replaced.
  Victim fill(std::uint32_t line, bool dirty);
  /// Marks a line that is there.
  void mark(std::uint32_t line, bool dirty);
  /// Takes a line out; returns whether it was there, and dirty.
  Victim remove(std::uint32_t line);
  /// Takes the lines from `first` to `last` out; calls `each(line)` for those that were there. Returns whether one was.
  template <typename Each>
  bool remove_range(std::uint32_t first, std::uint32_t last, Each&& each) {
    bool found = false;
    const auto take = [&](std::uint32_t line) {
      if (!remove(line).present) return;
      found = true;
      each(line);
    };
    if (last - first < lines_) {
      for (std::uint32_t line = first; line <= last; ++line) take(line);
    } else {
      for (std::uint32_t i = 0; i < lines_; ++i) {
        const std::uint32_t line = (entries_[i] & kLine) - 1;
        if (entries_[i] != 0 && line >= first && line <= last) take(line);
      }
    }
    return found;
  }
  bool contains_any(std::uint32_t first, std::uint32_t last) const;
  /// Takes all lines out; calls `each(line)` for the dirty ones.
  template <typename Each>
  void clear(Each&& each) {
    for (std::uint32_t i = 0; i < lines_; ++i) {
      if (entries_[i] & kDirty) each((entries_[i] & kLine) - 1);
      entries_[i] = 0;
    }
  }
  std::uint32_t lines() const { return lines_; }

 private:
  // An entry is the line's number plus one, so that zero is an empty place.
  static constexpr std::uint32_t kDirty = 0x8000'0000, kLine = ~kDirty;
  struct Free {
    void operator()(std::uint32_t* block) const { std::free(block); }
  };

  std::uint32_t* set_of(std::uint32_t line) const { return entries_.get() + (line & (sets_ - 1)) * ways_; }
  std::uint32_t* find(std::uint32_t line) const;

  std::uint32_t lines_;
  std::uint32_t ways_;
  std::uint32_t sets_;
  std::unique_ptr<std::uint32_t[], Free> entries_;
  std::vector<std::uint8_t> next_victim_;
};

}  // namespace toroid
