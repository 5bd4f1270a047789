// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/base/pool.h"
#include "torus/torus/packet.h"

namespace toroid {

/// All packets of one network, and their contents.
class PacketPool {
 public:
  /// `packet_bytes`: of a maximum packet.
  explicit PacketPool(unsigned packet_bytes) : packet_bytes_(packet_bytes) {}
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// A fresh packet, every field at its default; with contents (uninitialised bytes) when asked for.
  Packet& allocate(bool with_data = false);
  /// A copy with contents of its own.
  Packet& clone(const Packet& packet);
  /// Takes the packet and its contents back.
  void release(Packet& packet);

  Packet& at(std::uint32_t index) { return packets_.at(index); }
  const Packet& at(std::uint32_t index) const { return packets_.at(index); }

  /// Packets out of the pool now; 0 at the end of a run, or there is a leak.
  std::size_t in_use() const { return packets_.in_use(); }
  /// Contents out of the pool now.
  std::size_t data_in_use() const { return blocks_.size() * kBlock - free_data_.size(); }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const {
    return packets_.memory_bytes() + blocks_.size() * kBlock * packet_bytes_ +
           free_data_.capacity() * sizeof(std::uint8_t*);
  }

 private:
  static constexpr unsigned kBlock = 256;

  std::uint8_t* take_data();

  IndexedPool<Packet, 1024> packets_;
  const unsigned packet_bytes_;
  std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;  ///< of kBlock packets' bytes each
  std::vector<std::uint8_t*> free_data_;
};

}  // namespace toroid
