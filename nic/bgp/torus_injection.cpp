// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/torus_injection.h"

#include "nic/torus/torus_header.h"
#include "torus/torus/torus_observer.h"

namespace toroid {
namespace {

constexpr unsigned kNoCore = 0xFF;  // observers are told of cores: none has written the packet

}  // namespace

std::optional<unsigned> TorusInjection::choose(std::uint8_t map, unsigned chunks) const {
  std::optional<unsigned> best;
  if (!state_.dcr.has(bgp_dma_dcr::base_control::kTorusInjection)) return best;
  for (unsigned fifo = 0; fifo < kFifos; ++fifo) {
    if ((map & 0x80u >> fifo) == 0) continue;
    const unsigned held = fifos_[fifo].chunks();
    if (held * TORUS_CHUNK_QUADS > state_.dcr.torus_watermark(fifo)) continue;
    if (held + chunks > state_.config.torus_fifo_depth) continue;
    if (!best || held < fifos_[*best].chunks()) best = fifo;
  }
  return best;
}

void TorusInjection::push(unsigned fifo, Packet& packet) {
  if (TorusObserver* const observer = state_.network.observer())
    observer->on_written(state_.node, kNoCore, fifo, packet, state_.when());
  state_.torus_dcr.add_checksum(fifo, injection_checksum(read_hardware_header(packet.data), packet.data));
  ++state_.counted.packets_injected;
  hand_over(fifo, fifos_[fifo].push(packet));
}

void TorusInjection::taken(unsigned fifo, unsigned chunks) {
  hand_over(fifo, fifos_[fifo].taken(chunks));
}

void TorusInjection::hand_over(unsigned fifo, Packet* packet) {
  if (packet != nullptr) state_.outside.send_packet(*packet, fifo, state_.now());
}

unsigned TorusInjection::waiting() const {
  unsigned count = 0;
  for (const InjectionQueue& fifo : fifos_) count += fifo.waiting();
  return count;
}

}  // namespace toroid
