// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/torus/packet.h"

namespace toroid {

class TorusLink;

inline constexpr std::uint32_t kNoPacket = ~std::uint32_t{0};
inline constexpr unsigned kMaxInjectionFifos = 16;  ///< of all groups
inline constexpr unsigned kMaxReceptionFifos = 22;  ///< 2 groups x (10 directions + priority)

/// What the packet at the head of a queue wants: kept beside the queue so that arbitration need not touch the packet.
struct Request {
  std::uint16_t outputs = 0;  ///< bit per direction that leads to the destination; 0 = it has arrived
  std::uint8_t chunks = 0;
  std::uint8_t flags = 0;

  static constexpr std::uint8_t kDynamic = 1;
  static constexpr std::uint8_t kPriority = 2;
  static constexpr std::uint8_t kDeposit = 4;

  /// In `outputs`: the packet before is still being read out of the queue.
  static constexpr std::uint16_t kNotReady = 0x8000;

  bool dynamic() const { return flags & kDynamic; }
  bool priority() const { return flags & kPriority; }
  bool deposit() const { return flags & kDeposit; }
  /// The next hop of dimension-order routing: hints hold one direction a dimension.
  unsigned first_output() const { return static_cast<unsigned>(__builtin_ctz(outputs)); }
};

/// A FIFO of packets, linked by Packet::next.
struct PacketQueue {
  std::uint32_t head = kNoPacket;
  std::uint32_t tail = kNoPacket;
};

/// The receiver of one link: four virtual channels and the path to the reception FIFOs of its direction.
struct alignas(64) InputPort {
  std::array<PacketQueue, kChannels> queue;
  std::array<Request, kChannels> head;         ///< of the packet at the head; meaningless when empty
  std::array<std::uint8_t, kChannels> held{};  ///< tokens of the packets in the queue
  std::uint8_t last_delivered = 0;             ///< channel served last by the local path
  bool wake_posted = false;                    ///< an event at local_busy_until is on the wheel
  Cycle local_busy_until = 0;
  std::array<Cycle, kChannels> read_until{};  ///< when the tail of the packet taken last leaves the queue
};
static_assert(sizeof(InputPort) == 128);

/// The sender of one link. One line.
struct alignas(64) OutputPort {
  Cycle busy_until = 0;                           ///< cycle at which the tail under way has left
  std::uint64_t requests = 0;                     ///< bit per requester (see Router) whose head packet may go out here
  std::array<std::uint16_t, kChannels> tokens{};  ///< chunks free in the buffers downstream
  std::uint32_t neighbour = 0;                    ///< node behind the link; kNoNode at the edge of a mesh
  std::uint8_t last_granted = 0;
  bool wake_posted = false;   ///< an event at busy_until is on the wheel
  bool stopped = false;       ///< stopped by the driver (DCR +0x0B)
  bool held_back = false;     ///< stopped by the link: resend FIFO full, or resending
  std::uint64_t packets = 0;  ///< sent, retransmissions included
  std::uint64_t chunks = 0;
  Cycle busy_cycles = 0;
  TorusLink* link = nullptr;  ///< only where the link is more than a wire
};
static_assert(sizeof(OutputPort) == 64);

}  // namespace toroid
