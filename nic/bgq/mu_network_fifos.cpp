// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_network_fifos.h"

#include "nic/bgq/mu_routing.h"

namespace toroid {

void MuNetworkFifos::push(unsigned fifo, Packet& packet) {
  fifos_[fifo].checksum += injection_checksum(packet.data, packet.chunks * BGQ_CHUNK_BYTES);
  ++state_.counted.packets_injected;
  hand_over(fifo, fifos_[fifo].queue.push(packet));
}

void MuNetworkFifos::taken(unsigned fifo, unsigned chunks) {
  hand_over(fifo, fifos_[fifo].queue.taken(chunks));
}

void MuNetworkFifos::hand_over(unsigned fifo, Packet* packet) {
  if (packet != nullptr) state_.outside.send_packet(*packet, fifo, state_.now());
}

std::uint16_t MuNetworkFifos::available() const {
  std::uint16_t bits = 0;
  for (unsigned fifo = 0; fifo < kMuEngines; ++fifo) {
    if (has_room(fifo, BGQ_PACKET_BYTES / BGQ_CHUNK_BYTES)) bits |= mu_engine_bit(fifo);
  }
  return bits;
}

}  // namespace toroid
