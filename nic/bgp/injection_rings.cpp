// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/injection_rings.h"

namespace toroid {
namespace {

void set_bit(std::uint32_t& word, unsigned bit, bool value) {
  word = value ? word | ibm_bit(bit) : word & ~ibm_bit(bit);
}

}  // namespace

void InjectionRings::write(unsigned fifo, DmaRing::Word word, std::uint32_t value) {
  DmaRing& ring = rings_[fifo];
  ring.word(word) = value;
  if (word != DmaRing::Word::tail) {
    ++generations_[fifo];
    read_[fifo] = ring.head;
  }
  refresh(fifo);
}

std::uint32_t InjectionRings::threshold_crossed(unsigned group) const {
  return dcr_.has(bgp_dma_dcr::base_control::kInjectionThresholdLevel) ? below_[group] : crossed_[group];
}

/// What is still below the threshold is crossed again.
void InjectionRings::clear_threshold(unsigned group, std::uint32_t bits) {
  crossed_[group] = (crossed_[group] & ~bits) | below_[group];
}

bool InjectionRings::well_formed(unsigned fifo) const {
  const DmaRing& ring = rings_[fifo];
  // Descriptors do not straddle the end.
  return ring.well_formed(kLeastQuads) && ring.head % kDescriptorQuads == 0 && ring.tail % kDescriptorQuads == 0;
}

bool InjectionRings::can_append(unsigned fifo) const {
  const std::uint32_t place = append_place(fifo);
  return well_formed(fifo) && place >= rings_[fifo].start && place < rings_[fifo].end;
}

bool InjectionRings::is_available(unsigned fifo) const {
  return rings_[fifo].size() - rings_[fifo].used_to(append_place(fifo)) >= kAvailableQuads;
}

std::uint32_t InjectionRings::read_next(unsigned fifo) {
  const std::uint32_t place = read_[fifo];
  read_[fifo] = rings_[fifo].behind(place, kDescriptorQuads);
  refresh(fifo);
  return place;
}

void InjectionRings::reread_from(unsigned fifo, std::uint32_t place) {
  read_[fifo] = place;
  refresh(fifo);
}

void InjectionRings::done(unsigned fifo, std::uint32_t place) {
  rings_[fifo].head = rings_[fifo].behind(place, kDescriptorQuads);
  refresh(fifo);
}

void InjectionRings::appended(unsigned fifo, std::uint32_t quads) {
  appends_[fifo].end(rings_[fifo], quads, kLeastQuads);
  refresh(fifo);
}

void InjectionRings::refresh(unsigned fifo) {
  const DmaRing& ring = rings_[fifo];
  const unsigned group = fifo / 32;
  const unsigned bit = fifo % 32;
  const bool is_a_ring = ring.start < ring.end;
  set_bit(not_empty_[group], bit, !ring.empty());
  set_bit(available_[group], bit, is_a_ring && ring.free() >= kAvailableQuads);
  set_bit(unread_[group], bit, read_[fifo] != ring.tail);
  const bool below = is_a_ring && ring.free() <= dcr_.at(bgp_dma_dcr::kInjFifoThreshold);
  set_bit(below_[group], bit, below);
  if (below) crossed_[group] |= ibm_bit(bit);
}

void InjectionRings::reset() {
  rings_ = {};
  read_ = {};
  for (std::uint32_t& generation : generations_) ++generation;
  crossed_ = {};
  activated_ = {};
  refresh();
}

void InjectionRings::refresh() {
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) refresh(fifo);
}

}  // namespace toroid
