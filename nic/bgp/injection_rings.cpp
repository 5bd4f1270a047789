// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/injection_rings.h"

namespace toroid {

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
  return status_[group].threshold_crossed(dcr_.has(bgp_dma_dcr::base_control::kInjectionThresholdLevel));
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
  const std::uint32_t bit = ibm_bit(fifo % 32);
  status_[group].update(bit, ring, kAvailableQuads, dcr_.at(bgp_dma_dcr::kInjFifoThreshold));
  unread_[group] = read_[fifo] != ring.tail ? unread_[group] | bit : unread_[group] & ~bit;
}

void InjectionRings::reset() {
  rings_ = {};
  read_ = {};
  for (std::uint32_t& generation : generations_) ++generation;
  status_ = {};
  activated_ = {};
  refresh();
}

void InjectionRings::refresh() {
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) refresh(fifo);
}

}  // namespace toroid
