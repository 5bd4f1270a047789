// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/packet_pool.h"

namespace toroid {

TreePacket& TreePacketPool::allocate() {
  TreePacket& packet = packets_.take();
  packets_.assign(packet, TreePacket{});
  packet.data = &data_.take();
  packet.data->users = 1;
  return packet;
}

TreePacket& TreePacketPool::share(const TreePacket& packet) {
  TreePacket& copy = packets_.take();
  packets_.assign(copy, packet);
  ++copy.data->users;
  return copy;
}

void TreePacketPool::unshare(TreePacket& packet) {
  if (packet.data->users == 1) return;
  TreeData& own = data_.take();
  own.bytes = packet.data->bytes;
  own.users = 1;
  --packet.data->users;
  packet.data = &own;
}

void TreePacketPool::release(TreePacket& packet) {
  drop(*packet.data);
  packet.data = nullptr;
  packets_.give_back(packet);
}

}  // namespace toroid
