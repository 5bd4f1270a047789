// SPDX-License-Identifier: Apache-2.0
#include "hw/io/tree/io_packet.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "hw/memory/big_endian.h"

namespace toroid {

void make_io_packet(const std::vector<std::uint8_t>& message, std::size_t index, std::uint32_t sender,
                    std::uint32_t number, std::uint8_t* to) {
  const std::size_t offset = index * kIoPacketData;
  const std::size_t bytes = std::min<std::size_t>(kIoPacketData, message.size() - offset);
  store_be32(to, sender);
  store_be32(to + 4, number);
  store_be32(to + 8, static_cast<std::uint32_t>(offset));
  store_be32(to + 12, static_cast<std::uint32_t>(message.size()));
  std::memcpy(to + TREE_QUAD_BYTES, message.data() + offset, bytes);
  std::memset(to + TREE_QUAD_BYTES + bytes, 0, kIoPacketData - bytes);
}

std::uint32_t io_packet_sender(const std::uint8_t* packet) {
  return load_be32(packet);
}

std::optional<std::vector<std::uint8_t>> IoAssembler::add(const std::uint8_t* packet) {
  const std::uint32_t number = load_be32(packet + 4);
  const std::uint32_t offset = load_be32(packet + 8);
  const std::uint32_t total = load_be32(packet + 12);
  const bool fits =
      total_ == 0 ? offset == 0 && total != 0 : number == number_ && total == total_ && offset == message_.size();
  if (!fits) {
    throw std::logic_error("packet of node " + std::to_string(load_be32(packet)) + ", message " +
                           std::to_string(number) + ", at byte " + std::to_string(offset) + " of " +
                           std::to_string(total) + ", does not follow what came before it");
  }
  number_ = number;
  total_ = total;
  const std::size_t bytes = std::min<std::size_t>(kIoPacketData, total - offset);
  message_.insert(message_.end(), packet + TREE_QUAD_BYTES, packet + TREE_QUAD_BYTES + bytes);
  if (message_.size() < total_) return std::nullopt;
  total_ = 0;
  std::optional<std::vector<std::uint8_t>> whole = std::move(message_);
  message_.clear();
  return whole;
}

}  // namespace toroid
