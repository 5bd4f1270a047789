// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/packet_pool.h"

#include <algorithm>

namespace toroid {

std::uint8_t* PacketPool::take_data() {
  if (free_data_.empty()) {
    blocks_.push_back(std::unique_ptr<std::uint8_t[]>(new std::uint8_t[std::size_t{kBlock} * packet_bytes_]));
    free_data_.reserve(blocks_.size() * kBlock);
    for (unsigned i = kBlock; i-- > 0;) free_data_.push_back(&blocks_.back()[std::size_t{i} * packet_bytes_]);
  }
  std::uint8_t* const data = free_data_.back();
  free_data_.pop_back();
  return data;
}

Packet& PacketPool::allocate(bool with_data) {
  Packet& packet = packets_.take();
  packets_.assign(packet, Packet{});
  if (with_data) packet.data = take_data();
  return packet;
}

Packet& PacketPool::clone(const Packet& packet) {
  Packet& copy = packets_.take();
  packets_.assign(copy, packet);
  if (packet.data != nullptr) {
    copy.data = take_data();
    std::copy_n(packet.data, packet_bytes_, copy.data);
  }
  return copy;
}

void PacketPool::release(Packet& packet) {
  if (packet.data != nullptr) {
    free_data_.push_back(packet.data);
    packet.data = nullptr;
  }
  packets_.give_back(packet);
}

}  // namespace toroid
