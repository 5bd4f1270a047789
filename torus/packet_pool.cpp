// SPDX-License-Identifier: Apache-2.0
#include "torus/packet_pool.h"

#include <cassert>

namespace toroid {

Packet& PacketPool::allocate(bool with_data) {
  if (!free_) {
    const auto base = static_cast<std::uint32_t>(packets_.size() * kChunkPackets);
    packets_.push_back(std::make_unique<Packet[]>(kChunkPackets));
    Packet* chunk = packets_.back().get();
    for (unsigned i = kChunkPackets; i-- > 0;) {
      chunk[i].index = base + i;
      chunk[i].next = free_;
      free_ = &chunk[i];
    }
  }
  Packet& packet = *free_;
  free_ = packet.next;
  const std::uint32_t index = packet.index;
  packet = Packet{};
  packet.index = index;
  ++in_use_;
  if (with_data) {
    if (free_data_.empty()) {
      data_.push_back(std::unique_ptr<PacketData[]>(new PacketData[kChunkData]));
      free_data_.reserve(data_.size() * kChunkData);
      for (unsigned i = kChunkData; i-- > 0;) free_data_.push_back(&data_.back()[i]);
    }
    packet.data = free_data_.back();
    free_data_.pop_back();
    ++data_in_use_;
  }
  return packet;
}

Packet& PacketPool::clone(const Packet& packet) {
  Packet& copy = allocate(packet.data != nullptr);
  PacketData* const data = copy.data;
  const std::uint32_t index = copy.index;
  copy = packet;
  copy.next = nullptr;
  copy.index = index;
  copy.data = data;
  if (data) *data = *packet.data;
  return copy;
}

void PacketPool::release(Packet& packet) {
  assert(in_use_ > 0);
  if (packet.data) {
    free_data_.push_back(packet.data);
    packet.data = nullptr;
    --data_in_use_;
  }
  packet.next = free_;
  free_ = &packet;
  --in_use_;
}

std::size_t PacketPool::memory_bytes() const {
  return packets_.size() * kChunkPackets * sizeof(Packet) + data_.size() * kChunkData * sizeof(PacketData) +
         free_data_.capacity() * sizeof(PacketData*);
}

}  // namespace toroid
