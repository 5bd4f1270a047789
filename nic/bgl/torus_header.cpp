// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/torus_header.h"

#include <cstring>

namespace toroid {

bgl_torus_fields_t read_hardware_header(const std::uint8_t* bytes) {
  std::uint32_t words[2];
  std::memcpy(words, bytes, sizeof words);
  return bgl_torus_decode(bgl_torus_be32(words[0]), bgl_torus_be32(words[1]));
}

void apply_header(const bgl_torus_fields_t& fields, Packet& packet) {
  packet.hints = 0;
  for (unsigned direction = 0; direction < BGL_TORUS_HEADER0_HINTS_WIDTH; ++direction) {
    if (fields.hints & BGL_TORUS_HINT(direction)) packet.hints |= static_cast<std::uint16_t>(1u << direction);
  }
  packet.destination = {fields.destination[0], fields.destination[1], fields.destination[2]};
  packet.chunks = fields.chunks;
  packet.channel = static_cast<VirtualChannel>(fields.vc);
  packet.dynamic = fields.dynamic != 0;
  packet.deposit = fields.deposit != 0;
  packet.group = fields.pid;
}

std::uint32_t injection_checksum(const bgl_torus_fields_t& fields, const std::uint8_t* packet) {
  if (fields.csum_off) return 0;
  std::uint32_t sum = 0;
  for (unsigned byte = 2u * fields.csum_skip; byte < BGL_TORUS_CHUNK_BYTES * fields.chunks; byte += 2) {
    sum += static_cast<std::uint32_t>(packet[byte] << 8 | packet[byte + 1]);
  }
  return sum;
}

}  // namespace toroid
