// SPDX-License-Identifier: Apache-2.0
#include "nic/torus/torus_header.h"

#include <cstring>

#include "torus/torus/header_check.h"

namespace toroid {
namespace {

std::string triple(const std::uint8_t* coordinates) {
  return "(" + std::to_string(coordinates[0]) + "," + std::to_string(coordinates[1]) + "," +
         std::to_string(coordinates[2]) + ")";
}

}  // namespace

torus_fields_t read_hardware_header(const std::uint8_t* bytes) {
  std::uint32_t words[2];
  std::memcpy(words, bytes, sizeof words);
  return torus_decode(torus_be32(words[0]), torus_be32(words[1]));
}

void apply_header(const torus_fields_t& fields, Packet& packet) {
  packet.hints = 0;
  for (unsigned direction = 0; direction < TORUS_HEADER0_HINTS_WIDTH; ++direction) {
    if (fields.hints & TORUS_HINT(direction)) packet.hints |= static_cast<std::uint16_t>(1u << direction);
  }
  packet.destination = {fields.destination[0], fields.destination[1], fields.destination[2]};
  packet.chunks = fields.chunks;
  packet.channel = static_cast<VirtualChannel>(fields.vc);
  packet.dynamic = fields.dynamic != 0;
  packet.deposit = fields.deposit != 0;
  packet.group = fields.pid;
}

std::string header_fault(std::uint32_t errors, const torus_fields_t& fields, const Shape& shape) {
  if (errors & kDestinationOutside) {
    return "its destination " + triple(fields.destination) + " lies outside the machine of " + shape.text();
  }
  if (errors & kHintsConflict) return "it has the plus and the minus hint of one dimension; give at most one of them";
  if (errors & kChannelMismatch) {
    return "its dynamic bit is " + std::to_string(fields.dynamic) + " and its virtual channel " +
           std::to_string(fields.vc) + "; dynamic packets go on channel 0 or 1, deterministic ones on 2 or 3";
  }
  if (errors & kDepositOffLine) {
    return "it is to be deposited along a line, but its destination " + triple(fields.destination) +
           " does not lie on the line of its one hint";
  }
  if (errors & kHintsMissing && fields.hints == 0) {
    return "it goes to its own node, " + triple(fields.destination) +
           ", without a hint; such a packet needs that of a ring, around which it travels";
  }
  if (errors & kHintsMissing) {
    return "its hints lead not all the way to its destination " + triple(fields.destination) +
           "; give a hint for each dimension that differs, or none at all";
  }
  return "it has a hint that leads away from its destination " + triple(fields.destination) +
         "; give hints only for dimensions that differ";
}

std::uint32_t injection_checksum(const torus_fields_t& fields, const std::uint8_t* packet) {
  if (fields.csum_off) return 0;
  std::uint32_t sum = 0;
  for (unsigned byte = 2u * fields.csum_skip; byte < TORUS_CHUNK_BYTES * fields.chunks; byte += 2) {
    sum += static_cast<std::uint32_t>(packet[byte] << 8 | packet[byte + 1]);
  }
  return sum;
}

}  // namespace toroid
