// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "torus/base/pool.h"
#include "torus/tree/packet.h"

namespace toroid {

/// All packets of one tree and their payloads. Like PacketPool, but copies share their payload.
class TreePacketPool {
 public:
  TreePacketPool() = default;
  TreePacketPool(const TreePacketPool&) = delete;
  TreePacketPool& operator=(const TreePacketPool&) = delete;

  /// A new packet with its own payload (uninitialised bytes).
  TreePacket& allocate();
  /// Another packet with the same fields and the same payload.
  TreePacket& share(const TreePacket& packet);
  /// If copies share the payload of `packet`, gives it its own payload with the same bytes.
  void unshare(TreePacket& packet);
  void release(TreePacket& packet);
  /// Prevents a payload from being freed or changed until drop() is called.
  void hold(TreeData& data) { ++data.users; }
  void drop(TreeData& data) {
    if (--data.users == 0) data_.give_back(data);
  }

  TreePacket& at(std::uint32_t index) { return packets_.at(index); }

  /// Numbers of packets and payloads in use; both are 0 at the end of a run unless there is a leak.
  std::size_t in_use() const { return packets_.in_use(); }
  std::size_t data_in_use() const { return data_.in_use(); }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const { return packets_.memory_bytes() + data_.memory_bytes(); }

 private:
  IndexedPool<TreePacket, 1024> packets_;
  Pool<TreeData, 1024> data_;
};

}  // namespace toroid
