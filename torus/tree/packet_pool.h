// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "torus/base/pool.h"
#include "torus/tree/packet.h"

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
  /// Gives `packet` a payload of its own, with the same bytes, where copies share it.
  void unshare(TreePacket& packet);
  void release(TreePacket& packet);
  /// Keeps a payload from being given back, or changed by others, until it is dropped.
  void hold(TreeData& data) { ++data.users; }
  void drop(TreeData& data) {
    if (--data.users == 0) data_.give_back(data);
  }

  TreePacket& at(std::uint32_t index) { return packets_.at(index); }

  /// Packets out of the pool now, and payloads; 0 at the end of a run, or there is a leak.
  std::size_t in_use() const { return packets_.in_use(); }
  std::size_t data_in_use() const { return data_.in_use(); }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const { return packets_.memory_bytes() + data_.memory_bytes(); }

 private:
  IndexedPool<TreePacket, 1024> packets_;
  Pool<TreeData, 1024> data_;
};

}  // namespace toroid
