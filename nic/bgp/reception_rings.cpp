// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/reception_rings.h"

#include "nic/torus/torus_packet.h"

namespace toroid {

void ReceptionRings::write(unsigned fifo, DmaRing::Word word, std::uint32_t value) {
  rings_[fifo].word(word) = value;
  refresh(fifo);
}

std::uint32_t ReceptionRings::threshold_crossed(unsigned word) const {
  return status_[word].threshold_crossed(dcr_.has(bgp_dma_dcr::base_control::kReceptionThresholdLevel));
}

bool ReceptionRings::has_room(unsigned fifo, std::uint32_t quads) const {
  const DmaRing& ring = rings_[fifo];
  const std::uint32_t reserve = fifo < kNormal ? kReserveQuads : 1;
  return ring.used_to(append_place(fifo)) + quads + reserve <= ring.size();
}

/// Software may have moved the ring while packets are being appended.
bool ReceptionRings::well_formed(unsigned fifo) const {
  const DmaRing& ring = rings_[fifo];
  const std::uint32_t place = append_place(fifo);
  return ring.well_formed(fifo < kNormal ? kLeastQuads : 2) && place >= ring.start && place < ring.end;
}

void ReceptionRings::appended(unsigned fifo, std::uint32_t quads) {
  appends_[fifo].end(rings_[fifo], quads, 2);
  refresh(fifo);
}

void ReceptionRings::refresh(unsigned fifo) {
  const unsigned word = fifo / kNormal;
  const std::uint32_t bit = DmaDcr::reception_bit(fifo);
  const std::uint32_t types = dcr_.at(word == 0 ? bgp_dma_dcr::kRecFifoType : bgp_dma_dcr::kRecHeaderFifoType);
  const std::uint32_t threshold = dcr_.at(bgp_dma_dcr::kRecFifoThreshold, (types & bit) != 0 ? 1 : 0);
  status_[word].update(bit, rings_[fifo], kReserveQuads + TORUS_MAX_QUADS, threshold);
}

void ReceptionRings::reset() {
  rings_ = {};
  status_ = {};
  refresh();
}

void ReceptionRings::refresh() {
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) refresh(fifo);
}

}  // namespace toroid
