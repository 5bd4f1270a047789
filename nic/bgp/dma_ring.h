// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// The four registers of an injection or reception FIFO, a ring in memory; all in quads (physical addresses >> 4), as
/// the registers hold them. A ring is empty if head and tail are equal, so a full one keeps something free.
struct DmaRing {
  enum class Word : std::uint8_t { start, end, head, tail };

  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;

  std::uint32_t& word(Word which) {
    return which == Word::start ? start : which == Word::end ? end : which == Word::head ? head : tail;
  }
  std::uint32_t word(Word which) const { return const_cast<DmaRing*>(this)->word(which); }

  std::uint32_t size() const { return end - start; }
  std::uint32_t used_to(std::uint32_t place) const { return place >= head ? place - head : size() - (head - place); }
  std::uint32_t used() const { return used_to(tail); }
  std::uint32_t free() const { return size() - used(); }
  bool empty() const { return head == tail; }
  /// `quads` behind `place`, which may be the end.
  std::uint32_t behind(std::uint32_t place, std::uint32_t quads) const {
    const std::uint32_t left = end - place;
    return quads < left ? place + quads : start + (quads - left);
  }
  /// Start and end are multiples of 32 bytes, at least `least` quads apart, with head and tail between them.
  bool well_formed(std::uint32_t least) const {
    return start < end && start % 2 == 0 && end % 2 == 0 && end - start >= least && head >= start && head < end &&
           tail >= start && tail < end;
  }
};

/// The words of status of up to 32 rings, a bit each.
class DmaRingStatus {
 public:
  std::uint32_t not_empty() const { return not_empty_; }
  std::uint32_t available() const { return available_; }
  /// Rings whose free space is at or below the threshold: at present if `level`, otherwise ever since
  /// clear_threshold().
  std::uint32_t threshold_crossed(bool level) const { return level ? below_ : crossed_; }
  /// What is still below the threshold is crossed again.
  void clear_threshold(std::uint32_t bits) { crossed_ = (crossed_ & ~bits) | below_; }

  /// The ring of `bit` has changed, or the threshold. It is available if it has `room` quads free.
  void update(std::uint32_t bit, const DmaRing& ring, std::uint32_t room, std::uint32_t threshold) {
    const auto set = [bit](std::uint32_t& word, bool value) { word = value ? word | bit : word & ~bit; };
    const bool is_a_ring = ring.start < ring.end;
    const bool below = is_a_ring && ring.free() <= threshold;
    set(not_empty_, !ring.empty());
    set(available_, is_a_ring && ring.free() >= room);
    set(below_, below);
    if (below) crossed_ |= bit;
  }

 private:
  std::uint32_t not_empty_ = 0;
  std::uint32_t available_ = 0;
  std::uint32_t crossed_ = 0;  ///< sticky
  std::uint32_t below_ = 0;    ///< at present
};

/// What the DMA is appending to a ring. The tail moves when it is in memory.
class DmaRingAppend {
 public:
  /// Where the next goes, in quads.
  std::uint32_t place(const DmaRing& ring) const { return under_way_ != 0 ? next_ : ring.tail; }
  void begin(const DmaRing& ring, std::uint32_t quads) {
    next_ = ring.behind(place(ring), quads);
    ++under_way_;
  }
  /// `quads` are in memory. Software may have moved the ring meanwhile: the tail stays unless the registers make a ring
  /// of at least `least` quads.
  void end(DmaRing& ring, std::uint32_t quads, std::uint32_t least) {
    --under_way_;
    if (ring.well_formed(least)) ring.tail = ring.behind(ring.tail, quads);
  }

 private:
  std::uint32_t next_ = 0;  ///< behind what is being appended
  std::uint32_t under_way_ = 0;
};

}  // namespace toroid
