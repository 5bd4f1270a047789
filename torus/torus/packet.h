// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/time.h"

namespace toroid {

inline constexpr unsigned kMaxDimensions = 5;
inline constexpr unsigned kMaxDirections = 2 * kMaxDimensions;
inline constexpr unsigned kChunkBytes = 32;  ///< one token stands for one chunk
inline constexpr unsigned kMaxChunks = 8;    ///< 256-byte packets
inline constexpr unsigned kMaxPacketBytes = kChunkBytes * kMaxChunks;

/// Virtual channels, in the encoding of the Blue Gene packet header.
enum class Channel : std::uint8_t { dynamic0 = 0, dynamic1 = 1, bubble = 2, priority = 3 };
inline constexpr unsigned kChannels = 4;

/// A link direction: dimension d's plus direction is 2d, its minus direction 2d+1.
using Direction = std::uint8_t;
inline constexpr Direction kNoDirection = 0xFF;
inline constexpr Direction opposite(Direction direction) {
  return direction ^ 1;
}

/// A coordinate per dimension; unused dimensions are zero.
using Coordinates = std::array<std::uint8_t, kMaxDimensions>;

/// The bytes a packet carries, hardware header included. Kept apart from Packet: traffic without processors has none.
struct alignas(16) PacketData {
  std::array<std::uint8_t, kMaxPacketBytes> bytes;
};

/// One packet in flight, pooled (PacketPool): the same object from injection to reception, one cache line.
///
/// A device decodes its machine's header into these fields once, at injection; routers read and change only these.
struct alignas(64) Packet {
  Packet* next = nullptr;      ///< the queue that holds the packet links it here
  PacketData* data = nullptr;  ///< contents, or null in traffic mode
  Cycle injected = 0;          ///< cycle at which the device handed the packet to its router
  Cycle tail = 0;              ///< cycle at which the last byte is in the router that holds the packet
  std::uint32_t source = 0;    ///< node number
  std::uint32_t serial = 0;    ///< number of the packet at its source
  std::uint32_t index = 0;     ///< the packet's place in its pool; the pool's own
  std::uint32_t waited = 0;    ///< traffic mode: cycles between its generation and `injected`
  Coordinates destination{};
  std::uint16_t hints = 0;              ///< bit 2d: plus direction of dimension d allowed, bit 2d+1: minus
  std::uint8_t chunks = 1;              ///< 1..kMaxChunks
  Channel channel = Channel::dynamic0;  ///< the channel asked for at injection, then the one occupied
  bool dynamic = false;                 ///< adaptively routed
  bool deposit = false;                 ///< copied into the reception FIFO of every node passed on the line
  std::uint8_t group = 0;               ///< reception FIFO group at the destination (the header's Pid bit)
  std::uint8_t hops = 0;
};
static_assert(sizeof(Packet) == 64);

}  // namespace toroid
