// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace toroid {

/// Which lines a set-associative cache holds; it knows of no time and no data.
///
/// Replacement is round robin: each set has a victim index, which advances with each fill. A hit changes nothing. The
/// description's `cache` parameters say where a machine's policy is documented.
///
/// Ways are filled in turn, and a program that is small for a large cache uses the first ones of many sets. So a large
/// cache's entries lie in groups of a few ways: first those ways of all sets, then the next ones. The host commits
/// what is used.
class CacheSets {
 public:
  /// `lines` are a power of two of sets of `ways`, at most 128 (MemoryConfig::validate()). A line is named by its
  /// number: its address divided by its size, below 2^31 - 1.
  CacheSets(std::uint32_t lines, std::uint32_t ways);

  struct Victim {
    bool present = false;
    bool dirty = false;
    std::uint32_t line = 0;
  };

  bool contains(std::uint32_t line) const { return find(line) != nullptr; }
  struct State {
    bool present;
    bool dirty;
  };
  State state(std::uint32_t line) const;
  /// Brings in a line that is not there; returns what it replaced.
  Victim fill(std::uint32_t line, bool dirty);
  /// The same in a place that remove() has left, if there is one: lines come and go in victim levels.
  Victim fill_vacant(std::uint32_t line, bool dirty);
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
      each_entry([&](const std::uint32_t& entry) {
        const std::uint32_t line = (entry & kLine) - 1;
        if (entry != 0 && line >= first && line <= last) take(line);
      });
    }
    return found;
  }
  bool contains_any(std::uint32_t first, std::uint32_t last) const;
  /// Takes all lines out; calls `each(line)` for the dirty ones.
  template <typename Each>
  void clear(Each&& each) {
    each_entry([&](std::uint32_t& entry) {
      if (entry & kDirty) each((entry & kLine) - 1);
      entry = 0;
    });
  }
  std::uint32_t lines() const { return lines_; }

 private:
  // An entry is the line's number plus one, so that zero is an empty place.
  static constexpr std::uint32_t kDirty = 0x8000'0000, kLine = ~kDirty;
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };

  /// Ways of a set that have been filled: the first ones.
  std::uint32_t used_ways(std::uint32_t set) const { return fills_[set] < ways_ ? fills_[set] : ways_; }
  /// The number of an entry.
  std::size_t place_of(std::uint32_t set, std::uint32_t way) const {
    const std::uint32_t within = way & (group_ - 1);
    return std::size_t{way - within} * sets_ + set * group_ + within;
  }
  /// Of the next victim.
  std::uint32_t next_way(std::uint32_t fills) const { return fills < ways_ ? fills : fills - ways_; }
  std::uint32_t* find(std::uint32_t line) const;
  Victim set_entry(std::size_t place, std::uint32_t line, bool dirty);
  struct Holds {
    std::uint32_t line;
    bool operator()(std::uint32_t entry) const { return (entry & kLine) == line + 1; }
  };
  /// Of `count` entries, the one that holds the line, or nullptr.
  std::uint32_t* search(std::size_t place, std::uint32_t count, std::uint32_t line) const;
  /// A part of a line's number that differs within a set.
  std::uint8_t tag_of(std::uint32_t line) const { return static_cast<std::uint8_t>(line >> set_bits_); }
  /// Of the ways that have been filled, set by set.
  template <typename Each>
  void each_entry(Each&& each) const {
    for (std::uint32_t set = 0; set < sets_; ++set) {
      for (std::uint32_t way = 0; way < used_ways(set); ++way) each(entries_.get()[place_of(set, way)]);
    }
  }

  std::uint32_t lines_;
  std::uint32_t ways_;
  std::uint32_t sets_;
  unsigned set_bits_;
  std::uint32_t group_;  ///< ways that lie side by side: a power of two
  std::unique_ptr<std::uint32_t, Free> entries_;
  std::unique_ptr<std::uint8_t, Free> tags_;  ///< of the entries, where many lie side by side
  /// For each set, how often it has been filled, less a multiple of its ways that leaves all of them filled.
  std::vector<std::uint8_t> fills_;
};

}  // namespace toroid
