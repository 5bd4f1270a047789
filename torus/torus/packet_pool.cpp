// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/packet_pool.h"

namespace toroid {

Packet& PacketPool::allocate(bool with_data) {
  Packet& packet = packets_.take();
  packets_.assign(packet, Packet{});
  if (with_data) packet.data = &data_.take();
  return packet;
}

Packet& PacketPool::clone(const Packet& packet) {
  Packet& copy = packets_.take();
  packets_.assign(copy, packet);
  if (packet.data) {
    copy.data = &data_.take();
    *copy.data = *packet.data;
  }
  return copy;
}

void PacketPool::release(Packet& packet) {
  if (packet.data) {
    data_.give_back(*packet.data);
    packet.data = nullptr;
  }
  packets_.give_back(packet);
}

}  // namespace toroid
