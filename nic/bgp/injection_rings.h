// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "nic/bgp/dma_dcr.h"
#include "nic/bgp/dma_ring.h"

namespace toroid {

/// The injection FIFOs of all groups: rings of descriptors in memory. Software moves the tail, the DMA the head; where
/// remote gets bring descriptors, the DMA moves both.
///
/// `fifo` is group x 32 + FIFO; words of status have FIFO 0 of a group as their most significant bit.
class InjectionRings {
 public:
  static constexpr unsigned kFifos = 128;
  static constexpr unsigned kGroups = 4;
  static constexpr std::uint32_t kLeastQuads = 64;      ///< of a ring
  static constexpr std::uint32_t kAvailableQuads = 32;  ///< free
  static constexpr std::uint32_t kDescriptorQuads = 2;

  explicit InjectionRings(const DmaDcr& dcr) : dcr_(dcr) {}

  const DmaRing& ring(unsigned fifo) const { return rings_[fifo]; }
  /// Software writes a register. What the DMA has read ahead of HEAD must have been dropped unless it is the tail.
  void write(unsigned fifo, DmaRing::Word word, std::uint32_t value);

  // Words of status.
  std::uint32_t not_empty(unsigned group) const { return status_[group].not_empty(); }
  std::uint32_t available(unsigned group) const { return status_[group].available(); }
  std::uint32_t threshold_crossed(unsigned group) const;
  void clear_threshold(unsigned group, std::uint32_t bits) { status_[group].clear_threshold(bits); }
  std::uint32_t activated(unsigned group) const { return activated_[group]; }
  void activate(unsigned group, std::uint32_t bits) { activated_[group] |= bits; }
  void deactivate(unsigned group, std::uint32_t bits) { activated_[group] &= ~bits; }

  bool is_enabled(unsigned fifo) const {
    return (dcr_.at(bgp_dma_dcr::kInjFifoEnable, fifo / 32) & ibm_bit(fifo % 32)) != 0;
  }
  bool is_available(unsigned fifo) const;
  bool well_formed(unsigned fifo) const;

  // Descriptors. The DMA reads them ahead of HEAD, which it moves behind what is done.
  /// FIFOs at work that hold a descriptor that has not been read.
  std::uint32_t unread(unsigned group) const {
    return unread_[group] & activated_[group] & dcr_.at(bgp_dma_dcr::kInjFifoEnable, group);
  }
  /// Where the next descriptor to read is, in quads; it is read now.
  std::uint32_t read_next(unsigned fifo);
  /// Descriptors from the one at `place` on have not been read after all.
  void reread_from(unsigned fifo, std::uint32_t place);
  /// Changes whenever software has moved the ring or its head: what was read before then does not move the head.
  std::uint32_t generation(unsigned fifo) const { return generations_[fifo]; }
  /// The descriptor at `place` is done.
  void done(unsigned fifo, std::uint32_t place);

  // Descriptors that a remote get brings.
  /// Whether the registers make a ring. Software may have moved it while descriptors are being appended.
  bool can_append(unsigned fifo) const;
  /// Where they go, in quads.
  std::uint32_t append_place(unsigned fifo) const { return appends_[fifo].place(rings_[fifo]); }
  void begin_append(unsigned fifo, std::uint32_t quads) { appends_[fifo].begin(rings_[fifo], quads); }
  /// They are in memory: the tail moves.
  void appended(unsigned fifo, std::uint32_t quads);

  /// Brings all words of status up to date: thresholds have been set.
  void refresh();
  /// No FIFO is set up. What is under way finds that its ring has moved.
  void reset();

 private:
  void refresh(unsigned fifo);

  const DmaDcr& dcr_;
  std::array<DmaRing, kFifos> rings_{};
  std::array<std::uint32_t, kFifos> read_{};  ///< the next descriptor to read
  std::array<std::uint32_t, kFifos> generations_{};
  std::array<DmaRingAppend, kFifos> appends_{};
  std::array<DmaRingStatus, kGroups> status_{};
  std::array<std::uint32_t, kGroups> activated_{};
  std::array<std::uint32_t, kGroups> unread_{};
};

}  // namespace toroid
