// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/tree_packet.h"

namespace toroid {

/// All packets of one tree and their payloads. As PacketPool, but copies share what they carry.
class TreePacketPool {
 public:
  TreePacketPool() = default;
  TreePacketPool(const TreePacketPool&) = delete;
  TreePacketPool& operator=(const TreePacketPool&) = delete;

  /// A fresh packet with a payload of its own (uninitialised bytes).
  TreePacket& allocate();
  /// Another packet with the same fields and the same payload.
  TreePacket& share(const TreePacket& packet);
  void release(TreePacket& packet);

  TreePacket& at(std::uint32_t index) { return packets_[index / kChunk][index % kChunk]; }

  /// Packets out of the pool now, and payloads; 0 at the end of a run, or there is a leak.
  std::size_t in_use() const { return in_use_; }
  std::size_t data_in_use() const { return data_in_use_; }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const;

 private:
  static constexpr unsigned kChunk = 1024;

  TreePacket& take();

  std::vector<std::unique_ptr<TreePacket[]>> packets_;
  std::vector<std::unique_ptr<TreeData[]>> data_;
  TreePacket* free_ = nullptr;
  std::vector<TreeData*> free_data_;
  std::size_t in_use_ = 0;
  std::size_t data_in_use_ = 0;
};

}  // namespace toroid
