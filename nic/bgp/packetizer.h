// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nic/bgp/dma_message.h"
#include "nic/bgp/dma_state.h"

namespace toroid {

/// A violation that a descriptor shows.
struct DmaDescriptorFault {
  DmaRule rule;
  std::string text;
};

/// Makes packets of messages, and knows which descriptors can be made packets of.
class Packetizer {
 public:
  explicit Packetizer(DmaState& state) : state_(state) {}

  /// What is wrong with a decoded descriptor; nullopt if it is good.
  std::optional<DmaDescriptorFault> check(const DmaMessage& message) const;

  /// Bytes of the message that its next packet carries.
  static std::uint32_t next_bytes(const DmaMessage& message);
  /// The next packet, its payload still to be read from memory to `data + TORUS_HEADER_BYTES`.
  Packet& next(const DmaMessage& message);

 private:
  std::optional<DmaDescriptorFault> check_ring(const DmaMessage& message) const;
  std::optional<DmaDescriptorFault> check_header(const DmaMessage& message) const;

  DmaState& state_;
  std::uint32_t serial_ = 0;  ///< of the next packet
};

}  // namespace toroid
