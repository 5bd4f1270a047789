// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_network_fifos.h"

#include "nic/bgq/mu_routing.h"

namespace toroid {

void MuNetworkFifos::push(unsigned fifo, Packet& packet) {
  Fifo& target = fifos_[fifo];
  target.checksum += injection_checksum(packet.data, packet.chunks * BGQ_CHUNK_BYTES);
  ++state_.counted.packets_injected;
  packet.next = nullptr;
  (target.last != nullptr ? target.last->next : target.first) = &packet;
  target.last = &packet;
  hand_over(fifo);
}

void MuNetworkFifos::taken(unsigned fifo, unsigned chunks) {
  fifos_[fifo].held -= chunks;
  fifos_[fifo].router_has_one = false;
  hand_over(fifo);
}

void MuNetworkFifos::hand_over(unsigned fifo) {
  Fifo& from = fifos_[fifo];
  if (from.router_has_one || from.first == nullptr) return;
  Packet& packet = *from.first;
  from.first = packet.next;
  if (from.first == nullptr) from.last = nullptr;
  packet.next = nullptr;
  from.router_has_one = true;
  state_.outside.send_packet(packet, fifo, state_.now());
}

std::uint16_t MuNetworkFifos::available() const {
  std::uint16_t bits = 0;
  for (unsigned fifo = 0; fifo < kMuEngines; ++fifo) {
    if (has_room(fifo, BGQ_PACKET_BYTES / BGQ_CHUNK_BYTES)) bits |= mu_engine_bit(fifo);
  }
  return bits;
}

}  // namespace toroid
