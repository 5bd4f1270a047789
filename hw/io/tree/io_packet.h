// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "nic/collective/tree_packet.h"

namespace toroid {

// How messages between a compute node's kernel and its I/O node go in packets of the tree. A packet's first quad says
// who sends, which message of the sender's it belongs to, and where in it the 240 bytes behind have their place; the
// hardware's point-to-point header names the receiver only. The format is the project's own: the real one between CNK
// and ciod is not known. Packets of one sender stay in order on the tree.

inline constexpr unsigned kIoVc = 1;  ///< the operating system's virtual channel, by convention
/// Classes of all processing sets, of those that are the operating system's (12 to 15).
inline constexpr unsigned kIoRequestClass = 12, kIoReplyClass = 13;
inline constexpr unsigned kIoPacketData = TREE_PAYLOAD_BYTES - TREE_QUAD_BYTES;

inline std::size_t io_packets(std::size_t message_bytes) {
  return (message_bytes + kIoPacketData - 1) / kIoPacketData;
}

/// Writes packet `index` of a message to the TREE_PAYLOAD_BYTES at `to`.
void make_io_packet(const std::vector<std::uint8_t>& message, std::size_t index, std::uint32_t sender,
                    std::uint32_t number, std::uint8_t* to);

/// The node that has sent a packet.
std::uint32_t io_packet_sender(const std::uint8_t* packet);

/// Puts a sender's packets together again. Throws std::logic_error where one is missing: the tree loses none.
class IoAssembler {
 public:
  /// The message, once its last packet has been added.
  std::optional<std::vector<std::uint8_t>> add(const std::uint8_t* packet);
  /// What has come of a message that is not complete.
  const std::vector<std::uint8_t>& partial() const { return message_; }

 private:
  std::vector<std::uint8_t> message_;
  std::uint32_t number_ = 0;
  std::size_t total_ = 0;  ///< bytes of the message under way; 0: none
};

}  // namespace toroid
