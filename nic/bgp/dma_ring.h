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
