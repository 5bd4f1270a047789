// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nic/bgq/mu_message.h"
#include "nic/bgq/mu_state.h"

namespace toroid {

struct MuDescriptorFault {
  MuRule rule;
  std::string text;
};

/// Makes packets of messages, and knows which descriptors can be made packets of.
class MuPacketizer {
 public:
  explicit MuPacketizer(MuState& state) : state_(state) {}

  /// Checks a decoded descriptor: says what is wrong with it, or sets which way its packets go.
  std::optional<MuDescriptorFault> prepare(MuMessage& message) const;

  /// Bytes of the message that its next packet carries.
  static std::uint32_t next_bytes(const MuMessage& message);
  /// The next packet, through network FIFO `engine`, its payload still to be read from memory to `data +
  /// BGQ_HEADER_BYTES`.
  Packet& next(const MuMessage& message, unsigned engine);

 private:
  static std::optional<MuDescriptorFault> check_lengths(const MuMessage& message);
  static std::optional<MuDescriptorFault> check_payload(const MuMessage& message);
  static std::optional<MuDescriptorFault> check_engines(const MuMessage& message);
  static std::optional<MuDescriptorFault> check_rights(const MuMessage& message);
  std::optional<MuDescriptorFault> choose_way(MuMessage& message) const;
  std::optional<MuDescriptorFault> choose_collective_way(MuMessage& message) const;

  MuState& state_;
  std::uint32_t serial_ = 0;  ///< of the next packet
};

}  // namespace toroid
