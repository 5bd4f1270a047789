// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "nic/bgp/dma_dcr.h"
#include "nic/bgp/dma_ring.h"

namespace toroid {

/// The reception FIFOs of all groups: rings in memory to which the DMA appends whole packets, and whose head software
/// moves. `fifo` is group x 8 + FIFO; 32 + group is the group's FIFO for headers.
class ReceptionRings {
 public:
  static constexpr unsigned kNormal = 32;
  static constexpr unsigned kFifos = 36;
  static constexpr std::uint32_t kLeastQuads = 544;   ///< of a ring of packets
  static constexpr std::uint32_t kReserveQuads = 32;  ///< that the DMA leaves free

  explicit ReceptionRings(const DmaDcr& dcr) : dcr_(dcr) {}

  const DmaRing& ring(unsigned fifo) const { return rings_[fifo]; }
  void write(unsigned fifo, DmaRing::Word word, std::uint32_t value);

  // Words of status: 0 of normal FIFOs, 1 of header FIFOs, over all groups.
  std::uint32_t not_empty(unsigned word) const { return status_[word].not_empty(); }
  std::uint32_t available(unsigned word) const { return status_[word].available(); }
  std::uint32_t threshold_crossed(unsigned word) const;
  void clear_threshold(unsigned word, std::uint32_t bits) { status_[word].clear_threshold(bits); }

  bool well_formed(unsigned fifo) const;
  /// Whether `quads` more can be appended.
  bool has_room(unsigned fifo, std::uint32_t quads) const;

  /// Where the next packet goes, in quads.
  std::uint32_t append_place(unsigned fifo) const { return appends_[fifo].place(rings_[fifo]); }
  void begin_append(unsigned fifo, std::uint32_t quads) { appends_[fifo].begin(rings_[fifo], quads); }
  /// `quads` are in memory: the tail moves.
  void appended(unsigned fifo, std::uint32_t quads);

  void refresh();
  void reset();

 private:
  void refresh(unsigned fifo);

  const DmaDcr& dcr_;
  std::array<DmaRing, kFifos> rings_{};
  std::array<DmaRingAppend, kFifos> appends_{};
  std::array<DmaRingStatus, 2> status_{};
};

}  // namespace toroid
