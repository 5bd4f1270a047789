// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/packet.h"

namespace toroid {

/// All packets of one network, and their contents. Memory grows in chunks and is used again; nothing moves, so
/// pointers stay good until release. A packet's index is a 32-bit handle to it.
class PacketPool {
 public:
  PacketPool() = default;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// A fresh packet, every field at its default; with contents (uninitialised bytes) when asked for.
  Packet& allocate(bool with_data = false);
  /// A copy with contents of its own.
  Packet& clone(const Packet& packet);
  /// Takes the packet and its contents back.
  void release(Packet& packet);

  Packet& at(std::uint32_t index) { return packets_[index / kChunkPackets][index % kChunkPackets]; }

  const Packet& at(std::uint32_t index) const { return packets_[index / kChunkPackets][index % kChunkPackets]; }

  /// Packets out of the pool now; 0 at the end of a run, or there is a leak.
  std::size_t in_use() const { return in_use_; }
  /// Contents out of the pool now.
  std::size_t data_in_use() const { return data_in_use_; }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const;

 private:
  static constexpr unsigned kChunkPackets = 1024;
  static constexpr unsigned kChunkData = 256;

  std::vector<std::unique_ptr<Packet[]>> packets_;
  std::vector<std::unique_ptr<PacketData[]>> data_;
  Packet* free_ = nullptr;
  std::vector<PacketData*> free_data_;
  std::size_t in_use_ = 0;
  std::size_t data_in_use_ = 0;
};

}  // namespace toroid
