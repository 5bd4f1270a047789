// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/time.h"

namespace toroid {

inline constexpr unsigned kTreeVirtualChannels = 2;
inline constexpr unsigned kTreeClasses = 16;
inline constexpr unsigned kTreePayloadBytes = 256;  ///< of every packet
inline constexpr unsigned kTreePayloadWords = kTreePayloadBytes / 2;

/// What the ALU does with the packets of a class; values of the packet header.
enum class TreeOpcode : std::uint8_t { none = 0, bit_or = 1, bit_and = 2, bit_xor = 3, maximum = 5, add = 6 };

/// Payload, shared by the copies of a packet: it does not change after injection.
struct alignas(16) TreeData {
  std::array<std::uint8_t, kTreePayloadBytes> bytes;
  std::uint32_t users;
};

/// One packet of the tree, pooled (TreePacketPool). A device decodes its machine's header into these fields once.
struct TreePacket {
  TreePacket* next = nullptr;  ///< the queue that holds the packet links it here
  TreeData* data = nullptr;
  Cycle injected = 0;        ///< cycle at which the device handed over the packet, or the first of the combined packets
  std::uint32_t index = 0;   ///< index of the packet in its pool; used only by the pool
  std::uint32_t source = 0;  ///< node that injected it; for a combined packet, one of them
  std::uint32_t header = 0;  ///< as the receiver's software sees it
  std::uint32_t target = 0;  ///< node address, for point-to-point packets
  std::uint32_t serial = 0;  ///< number of the packet at its source; copies have the same number
  TreeOpcode opcode = TreeOpcode::none;
  std::uint8_t route_class = 0;
  std::uint8_t operand_words = 1;  ///< of 16 bits, 1 to 128
  bool point_to_point = false;

  bool combines() const { return !point_to_point && opcode != TreeOpcode::none; }
};

/// Bits of a class descriptor: which channels and the local client must present a packet, and where it goes. As in the
/// registers (bl_tree.h).
inline constexpr unsigned kTreeLocal = 3;  ///< the local client, numbered after the channels
constexpr std::uint16_t tree_source(unsigned port) {
  return static_cast<std::uint16_t>(port == kTreeLocal ? 0x0002 : 0x1000 << port);
}
constexpr std::uint16_t tree_target(unsigned port) {
  return static_cast<std::uint16_t>(port == kTreeLocal ? 0x0001 : 0x0100 << port);
}

}  // namespace toroid
