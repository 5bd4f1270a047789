// SPDX-License-Identifier: Apache-2.0
#include "torus/tree_packet_pool.h"

namespace toroid {

TreePacket& TreePacketPool::take() {
  if (free_ == nullptr) {
    const auto first = static_cast<std::uint32_t>(packets_.size() * kChunk);
    packets_.push_back(std::make_unique<TreePacket[]>(kChunk));
    for (unsigned i = kChunk; i-- > 0;) {
      TreePacket& packet = packets_.back()[i];
      packet.index = first + i;
      packet.next = free_;
      free_ = &packet;
    }
  }
  TreePacket& packet = *free_;
  free_ = packet.next;
  ++in_use_;
  return packet;
}

TreePacket& TreePacketPool::allocate() {
  if (free_data_.empty()) {
    data_.push_back(std::make_unique<TreeData[]>(kChunk));
    for (unsigned i = kChunk; i-- > 0;) free_data_.push_back(&data_.back()[i]);
  }
  TreePacket& packet = take();
  const std::uint32_t index = packet.index;
  packet = TreePacket{};
  packet.index = index;
  packet.data = free_data_.back();
  packet.data->users = 1;
  free_data_.pop_back();
  ++data_in_use_;
  return packet;
}

TreePacket& TreePacketPool::share(const TreePacket& packet) {
  TreePacket& copy = take();
  const std::uint32_t index = copy.index;
  copy = packet;
  copy.index = index;
  copy.next = nullptr;
  ++copy.data->users;
  return copy;
}

void TreePacketPool::release(TreePacket& packet) {
  if (--packet.data->users == 0) {
    free_data_.push_back(packet.data);
    --data_in_use_;
  }
  packet.data = nullptr;
  packet.next = free_;
  free_ = &packet;
  --in_use_;
}

std::size_t TreePacketPool::memory_bytes() const {
  return packets_.size() * kChunk * sizeof(TreePacket) + data_.size() * kChunk * sizeof(TreeData);
}

}  // namespace toroid
