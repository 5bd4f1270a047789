// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

namespace toroid {

/// A number of chunks of which changes are known before their time: the router speaks ahead of the network's clock, and
/// a core runs ahead of SystemC's. Everyone asks for the number as of a time and gets what is true then, whatever else
/// is known already.
class TimedCount {
 public:
  /// From `at` on, the number is larger by `by`.
  void change(sc_core::sc_time at, int by) {
    std::size_t place = changes_.size();
    while (place > 0 && changes_[place - 1].at > at) --place;
    changes_.insert(changes_.begin() + static_cast<std::ptrdiff_t>(place), Change{at, by});
  }

  /// The number at `when`; `when` lies not before what was settled.
  unsigned at(sc_core::sc_time when) const {
    int count = settled_;
    for (const Change& change : changes_) {
      if (change.at > when) break;
      count += change.by;
    }
    return static_cast<unsigned>(count);
  }

  /// The most that is certain not to be exceeded at `when`: growth counts as soon as it is known, however late it
  /// comes.
  unsigned at_most(sc_core::sc_time when) const {
    int count = settled_;
    for (const Change& change : changes_) {
      if (change.by > 0 || change.at <= when) count += change.by;
    }
    return static_cast<unsigned>(count);
  }

  /// Times before `now` will not be asked for again. Returns the number at `now`.
  unsigned settle(const sc_core::sc_time& now) {
    std::size_t past = 0;
    while (past < changes_.size() && changes_[past].at <= now) settled_ += changes_[past++].by;
    if (past > 0) changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(past));
    return static_cast<unsigned>(settled_);
  }

  /// Calls `tell(at)` for each change that is known already and comes after `now`.
  template <typename Tell>
  void each_after(sc_core::sc_time now, Tell tell) const {
    for (const Change& change : changes_) {
      if (change.at > now) tell(change.at);
    }
  }

  void reset() {
    settled_ = 0;
    changes_.clear();
  }

 private:
  struct Change {
    sc_core::sc_time at;
    int by;
  };
  int settled_ = 0;
  std::vector<Change> changes_;  ///< by time; those of one time in the order they were made
};

}  // namespace toroid
