// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/packetizer.h"

#include <algorithm>
#include <cstring>

#include "nic/bgp/address_ranges.h"
#include "nic/common/register_bank.h"
#include "nic/torus/torus_header.h"

namespace toroid {

std::optional<DmaDescriptorFault> Packetizer::check(const DmaMessage& message) const {
  if (auto fault = check_ring(message)) return fault;
  const unsigned counter = message.counter;
  if (!state_.injection_counters.is_enabled(counter)) {
    return DmaDescriptorFault{DmaRule::injection_counter, "injection counter " + std::to_string(counter % 64) +
                                                              " of group " + std::to_string(counter / 64) +
                                                              " is not enabled"};
  }
  if (!AddressRanges::injection(state_.dcr).allow(message.source, message.length())) {
    state_.dcr.at(bgp_dma_dcr::kBadReadAddress) = static_cast<std::uint32_t>(message.source >> 4);
    return DmaDescriptorFault{DmaRule::message_address,
                              "the message from " + dma_address_text(message.source) + " on, which is offset " +
                                  dma_address_text(message.words[2]) + " of counter " + std::to_string(counter % 64) +
                                  " of group " + std::to_string(counter / 64) +
                                  ", does not lie in the memory that the DMA may read"};
  }
  return check_header(message);
}

std::optional<DmaDescriptorFault> Packetizer::check_ring(const DmaMessage& message) const {
  if (message.kind == DmaMessage::Kind::prefetch && !message.local)
    return DmaDescriptorFault{DmaRule::prefetch, "prefetch_only is set without local_memcopy"};
  const bool ring_is_local = state_.dcr.is_local(message.fifo);
  if (message.local != ring_is_local) {
    return DmaDescriptorFault{DmaRule::local_flag,
                              ring_is_local ? "the FIFO is for local messages, and the descriptor is not local"
                                            : "the descriptor is local, and the FIFO is for the torus"};
  }
  if (!message.local && state_.dcr.torus_map(message.fifo) == 0)
    return DmaDescriptorFault{DmaRule::torus_map, "the FIFO's map has no torus FIFO"};
  return std::nullopt;
}

std::optional<DmaDescriptorFault> Packetizer::check_header(const DmaMessage& message) const {
  const unsigned payload = BGP_DMA_PAYLOAD_BYTES(message.chunks);
  if (message.kind == DmaMessage::Kind::remote_get &&
      (message.length() == 0 || message.length() % BGP_DMA_DESCRIPTOR_BYTES != 0 || message.length() > payload)) {
    return DmaDescriptorFault{DmaRule::remote_get,
                              "a remote get carries 1 to " + std::to_string(payload / BGP_DMA_DESCRIPTOR_BYTES) +
                                  " descriptors of 32 bytes in a packet of " + counted(message.chunks, "chunk")};
  }
  if (message.local) return std::nullopt;
  const torus_fields_t fields = torus_decode(message.words[4], message.words[5]);
  Packet packet;
  apply_header(fields, packet);
  const std::uint32_t errors = state_.network.check(packet, state_.node);
  if (errors == 0) return std::nullopt;
  state_.torus_dcr.header_error(errors, packet);
  return DmaDescriptorFault{DmaRule::packet_header,
                            "bad packet header: " + header_fault(errors, fields, state_.network.topology().shape())};
}

std::uint32_t Packetizer::next_bytes(const DmaMessage& message) {
  return std::min<std::uint32_t>(message.left(), BGP_DMA_PAYLOAD_BYTES(message.chunks));
}

Packet& Packetizer::next(const DmaMessage& message) {
  Packet& packet = state_.network.pool().allocate(true);
  apply_header(torus_decode(message.words[4], message.words[5]), packet);
  packet.source = state_.node;
  packet.serial = serial_++;
  std::uint32_t words[4];
  std::copy_n(message.words.begin() + BGP_DMA_DESCRIPTOR_HEADER_WORD, 4, words);
  words[2] += message.issued;
  const std::uint32_t bytes = next_bytes(message);
  if (message.kind == DmaMessage::Kind::put || message.kind == DmaMessage::Kind::remote_get)
    words[3] = (words[3] & ~BGP_DMA_HEADER3_BYTES_MASK) | bytes << BGP_DMA_HEADER3_BYTES_SHIFT;
  for (unsigned i = 0; i < 4; ++i) store_word<std::uint32_t>(packet.data + 4 * i, words[i]);
  // What the last packet of a message has behind it.
  std::memset(packet.data + TORUS_HEADER_BYTES + bytes, 0, BGP_DMA_PAYLOAD_BYTES(message.chunks) - bytes);
  return packet;
}

}  // namespace toroid
