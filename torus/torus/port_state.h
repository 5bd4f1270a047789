// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "torus/torus/families/family.h"
#include "torus/torus/packet.h"
#include "torus/torus/requester_set.h"

namespace toroid {

template <typename F>
class BasicTorusLink;

inline constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};

/// The result of route computation for the packet at the head of a queue: kept beside the queue so that the allocators
/// need not touch the packet.
struct Request {
  std::uint32_t outputs = 0;  ///< bit per port that leads to the destination; 0 = it has arrived
  std::uint8_t chunks = 0;
  std::uint8_t flags = 0;
  Direction first = 0;         ///< next hop in dimension order
  VirtualChannel ordered = 0;  ///< the ordered channel of its class, for that hop

  static constexpr std::uint8_t kDynamic = 1;
  static constexpr std::uint8_t kPriority = 2;
  static constexpr std::uint8_t kDeposit = 4;
  static constexpr std::uint8_t kEscapesAside = 8;  ///< the next hop in dimension order is none that its zone allows
  static constexpr unsigned kClassShift = 4;

  /// In `outputs`: the packet before is still being read out of the queue.
  static constexpr std::uint32_t kNotReady = 0x80000000;

  /// What the channel that a packet asks for says: its class, and whether that has priority.
  template <typename F>
  static constexpr auto flags_of_channels() {
    using T = FamilyTables<F>;
    std::array<std::uint8_t, T::kVcCount> table{};
    for (unsigned vc = 0; vc < T::kVcCount; ++vc) {
      table[vc] = static_cast<std::uint8_t>((T::has_priority(vc) ? kPriority : 0) | T::kClassOf[vc] << kClassShift);
    }
    return table;
  }

  bool dynamic() const { return flags & kDynamic; }
  bool priority() const { return flags & kPriority; }
  bool deposit() const { return flags & kDeposit; }
  bool escapes_aside() const { return flags & kEscapesAside; }
  unsigned message_class() const { return flags >> kClassShift; }
};

/// A FIFO of packets, linked by Packet::next.
struct PacketQueue {
  std::uint32_t head = kNoPacket;
  std::uint32_t tail = kNoPacket;
};

/// One virtual channel of a link's receiver. What a packet's arrival needs of it is in one cache line.
struct alignas(32) InputQueue {
  PacketQueue queue;
  Request head;           ///< of the packet at the head; meaningless when empty
  Cycle read_until{};     ///< when the tail of the packet taken last leaves the queue
  std::uint8_t held = 0;  ///< tokens of the packets in the queue
};
static_assert(sizeof(InputQueue) == 32);

/// The path from the receiver of one link to the reception FIFOs of its port.
struct LocalPath {
  Cycle busy_until{};
  VirtualChannel last_delivered = 0;  ///< channel served last
  bool wake_posted = false;           ///< an event at busy_until is on the wheel
};

/// Packets in transit that a link has taken since one last waited for injection in vain.
struct TransitGrants {
  std::uint16_t transit_grants = 0;
};
struct NoTransitGrants {};

/// The sender of one link.
template <typename F>
struct alignas(64) OutputPort : std::conditional_t<F::kTransitGrants, TransitGrants, NoTransitGrants> {
  using T = FamilyTables<F>;

  Cycle busy_until{};                               ///< cycle at which the tail under way has left
  RequesterSet<T::kRequesters> requests;            ///< requesters whose head packet waits to go out here
  std::array<std::uint16_t, T::kVcCount> tokens{};  ///< chunks free in the buffers downstream
  std::uint8_t last_granted = 0;
  bool wake_posted = false;   ///< an event at busy_until is on the wheel
  bool stopped = false;       ///< stopped by the driver
  bool held_back = false;     ///< stopped by the link: resend FIFO full, or resending
  std::uint64_t packets = 0;  ///< sent, retransmissions included
  std::uint64_t chunks = 0;
  Cycle busy_cycles{};
  BasicTorusLink<F>* link = nullptr;  ///< only where the link is more than a wire
};

}  // namespace toroid
