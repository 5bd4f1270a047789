// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/dimensions.h"
#include "torus/base/time.h"

namespace toroid {

/// Number of a virtual channel in the table of its router family (families/).
using VirtualChannel = std::uint8_t;

/// What the header of a packet says of its route, beyond hints, channel and dynamic bit.
struct PacketRouting {
  static constexpr std::uint8_t zone = 0x3;            ///< whose masks a dynamic packet obeys
  static constexpr std::uint8_t stay_on_bubble = 0x4;  ///< once escaped, it is dynamic no more
  static constexpr std::uint8_t to_io = 0x8;           ///< at its destination it leaves by the I/O port
  static constexpr std::uint8_t second_local = 0x10;   ///< from a node to itself: into the second of the local FIFOs
};

/// One packet in flight, pooled (PacketPool): the same object from injection to reception, one cache line.
///
/// A device decodes its machine's header into these fields once, at injection; routers read and change only these. The
/// fields are the same for every router family; what a family lacks is left at its default.
struct alignas(64) Packet {
  Packet* next = nullptr;        ///< the queue that holds the packet links it here
  std::uint8_t* data = nullptr;  ///< the bytes it carries, hardware header included; nullptr in traffic mode
  Cycle injected{};              ///< cycle at which the device handed the packet to its router
  Cycle tail{};                  ///< cycle at which the last byte is in the router that holds the packet
  std::uint32_t source = 0;      ///< node number
  std::uint32_t serial = 0;      ///< number of the packet at its source
  std::uint32_t index = 0;       ///< the packet's place in its pool; the pool's own
  std::uint32_t waited = 0;      ///< traffic mode: cycles between its generation and `injected`
  Coordinates destination{};
  std::uint16_t hints = 0;     ///< bit 2d: plus direction of dimension d allowed, bit 2d+1: minus
  std::uint8_t chunks = 1;     ///< 1 to the family's kMaxChunks
  VirtualChannel channel = 0;  ///< the channel asked for at injection, then the one occupied
  bool dynamic = false;        ///< adaptively routed
  bool deposit = false;        ///< copied into the reception FIFO of every node passed on the line
  std::uint8_t group = 0;      ///< reception FIFO group at the destination (the header's Pid bit)
  std::uint8_t hops = 0;
  std::uint8_t local = 0;    ///< which node of the destination's router
  std::uint8_t routing = 0;  ///< PacketRouting, for families that have what it asks for
};
static_assert(sizeof(Packet) == 64);

}  // namespace toroid
