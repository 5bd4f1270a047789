// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// The registers of an injection or reception FIFO, a ring in memory: physical addresses of bytes, as the registers
/// hold them. A ring is empty if head and tail are equal, so a full one keeps a unit free.
struct MuRing {
  enum class Word : std::uint8_t { start, size, head, tail };

  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< the size, minus 1
  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  std::uint64_t& word(Word which) {
    return which == Word::start ? start : which == Word::size ? last : which == Word::head ? head : tail;
  }
  std::uint64_t word(Word which) const { return const_cast<MuRing*>(this)->word(which); }

  std::uint64_t size() const { return last + 1; }
  std::uint64_t end() const { return start + size(); }
  bool empty() const { return head == tail; }
  bool holds(std::uint64_t place) const { return place >= start && place < end(); }
  /// Bytes from the head to `place`.
  std::uint64_t used_to(std::uint64_t place) const { return place >= head ? place - head : size() - (head - place); }
  std::uint64_t behind(std::uint64_t place, std::uint64_t bytes) const {
    const std::uint64_t left = end() - place;
    return bytes < left ? place + bytes : start + (bytes - left);
  }
  /// Everything is a multiple of `unit`, with at least `least` bytes, and head and tail lie inside.
  bool well_formed(std::uint64_t unit, std::uint64_t least) const {
    return start % unit == 0 && size() % unit == 0 && size() >= least && holds(head) && holds(tail) &&
           head % unit == 0 && tail % unit == 0;
  }
};

/// Packets or descriptors that are being written to a ring, in the order in which they got their places: the tail moves
/// behind one when it and all before it are in memory. They are the unit's requests (mu_requests.h), by number.
struct MuReservations {
  static constexpr std::uint32_t kNone = ~0u;
  std::uint64_t place = 0;      ///< of the next one
  std::uint32_t first = kNone;  ///< in memory last
  std::uint32_t last = kNone;
  /// Changes when software moves the ring: what got its place before then does not move the tail.
  std::uint32_t generation = 0;

  void moved(std::uint64_t tail) {
    place = tail;
    ++generation;
  }
};

}  // namespace toroid
