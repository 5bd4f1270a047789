// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/header.h"

namespace toroid {

CollectiveHeader CollectiveHeader::read(const std::uint8_t* bytes) {
  CollectiveHeader header;
  header.opcode = static_cast<CollectiveOpcode>(bytes[1] >> 4);
  header.word_exponent = bytes[1] & 0x7;
  header.class_route = bytes[2] >> 4;
  header.virtual_channel = bytes[3] >> 5;
  header.type = static_cast<CollectiveType>(bytes[3] >> 3 & 3);
  std::uint32_t packed = 0;
  for (unsigned i = 4; i < 8; ++i) packed = packed << 8 | bytes[i];
  for (unsigned d = 0; d < kMaxDimensions; ++d) {
    header.destination[d] = static_cast<std::uint8_t>(packed >> (24 - 6 * d) & 0x3F);
  }
  return header;
}

void CollectiveHeader::write(std::uint8_t* bytes) const {
  bytes[0] = kPacketType;
  bytes[1] = static_cast<std::uint8_t>(static_cast<unsigned>(opcode) << 4 | word_exponent);
  bytes[2] = static_cast<std::uint8_t>(class_route << 4);
  bytes[3] = static_cast<std::uint8_t>(virtual_channel << 5 | static_cast<unsigned>(type) << 3);
  std::uint32_t packed = 0;
  for (const std::uint8_t coordinate : destination) packed = packed << 6 | (coordinate & 0x3Fu);
  for (unsigned i = 0; i < 4; ++i) bytes[4 + i] = static_cast<std::uint8_t>(packed >> (24 - 8 * i));
}

}  // namespace toroid
