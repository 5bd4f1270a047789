// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace toroid {

/// The sender's books of go back N: what its receiver has not acknowledged, oldest first, and how far that has been
/// sent again. `Entry` has a member `sequence`, a number of 8 bits.
template <typename Entry>
class ResendWindow {
 public:
  /// `size` entries at most, 1 to 127: the receiver must tell those it has from those to come.
  explicit ResendWindow(unsigned size) : entries_(size) {}

  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  unsigned count() const { return count_; }
  bool full() const { return count_ == entries_.size(); }
  /// Entry `i`, the oldest is 0.
  Entry& operator[](unsigned i) { return entries_[(first_ + i) % entries_.size()]; }
  const Entry& operator[](unsigned i) const { return entries_[(first_ + i) % entries_.size()]; }

  /// A new entry behind the others, numbered. There must be room.
  Entry& push() {
    Entry& entry = (*this)[count_++];
    entry.sequence = next_sequence_++;
    return entry;
  }
  /// The entry pushed last is to be sent in its turn, behind those that go again: the link is not free for it.
  void postpone() {
    if (!resending_) cursor_ = count_ - 1;
    resending_ = true;
  }
  /// The receiver has all before `expected`. True where some were not known to have come.
  bool acknowledge(std::uint8_t expected) {
    unsigned done = 0;
    while (done < count_ && behind((*this)[done].sequence, expected)) ++done;
    if (done == 0) return false;
    first_ = (first_ + done) % entries_.size();
    count_ -= done;
    cursor_ = cursor_ > done ? cursor_ - done : 0;
    if (cursor_ == count_) resending_ = false;
    return true;
  }

  /// All of them are to be sent again.
  void go_back() {
    resending_ = count_ != 0;
    cursor_ = 0;
  }
  /// Some are still to be sent again.
  bool resending() const { return resending_; }
  /// The next one of these, which counts as sent.
  Entry& resend_next() {
    Entry& entry = (*this)[cursor_++];
    resending_ = cursor_ != count_;
    return entry;
  }

  /// Sequence numbers of the oldest entry and of the next one to come.
  std::uint8_t begin() const { return static_cast<std::uint8_t>(next_sequence_ - count_); }
  std::uint8_t end() const { return next_sequence_; }

  /// `sequence` comes before `expected`.
  static bool behind(std::uint8_t sequence, std::uint8_t expected) {
    return static_cast<std::uint8_t>(expected - sequence - 1) < 128;
  }

 private:
  std::vector<Entry> entries_;  ///< a ring
  unsigned first_ = 0;
  unsigned count_ = 0;
  unsigned cursor_ = 0;  ///< next entry to resend
  bool resending_ = false;
  std::uint8_t next_sequence_ = 0;
};

}  // namespace toroid
