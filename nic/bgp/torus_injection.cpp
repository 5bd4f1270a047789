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
    const unsigned held = fifos_[fifo].held;
    if (held * TORUS_CHUNK_QUADS > state_.dcr.torus_watermark(fifo)) continue;
    if (held + chunks > state_.config.torus_fifo_depth) continue;
    if (!best || held < fifos_[*best].held) best = fifo;
  }
  return best;
}

void TorusInjection::push(unsigned fifo, Packet& packet) {
  if (TorusObserver* const observer = state_.network.observer())
    observer->on_written(state_.node, kNoCore, fifo, packet, state_.when());
  state_.torus_dcr.add_checksum(fifo, injection_checksum(read_hardware_header(packet.data), packet.data));
  ++state_.counted.packets_injected;
  Fifo& target = fifos_[fifo];
  packet.next = nullptr;
  (target.last != nullptr ? target.last->next : target.first) = &packet;
  target.last = &packet;
  hand_over(fifo);
}

void TorusInjection::taken(unsigned fifo, unsigned chunks) {
  fifos_[fifo].held -= chunks;
  fifos_[fifo].router_has_one = false;
  hand_over(fifo);
}

void TorusInjection::hand_over(unsigned fifo) {
  Fifo& from = fifos_[fifo];
  if (from.router_has_one || from.first == nullptr) return;
  Packet& packet = *from.first;
  from.first = packet.next;
  if (from.first == nullptr) from.last = nullptr;
  packet.next = nullptr;
  from.router_has_one = true;
  state_.outside.send_packet(packet, fifo, state_.now());
}

unsigned TorusInjection::waiting() const {
  unsigned count = 0;
  for (const Fifo& fifo : fifos_) {
    for (const Packet* packet = fifo.first; packet != nullptr; packet = packet->next) ++count;
  }
  return count;
}

}  // namespace toroid
