// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_routing.h"

#include "torus/torus/header_check.h"

namespace toroid {
namespace {

std::string destination_text(const bgq_network_t& network) {
  std::string text = "(";
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) text += (d == 0 ? "" : ",") + std::to_string(network.destination[d]);
  return text + ")";
}

// Written out, so that compilers make one load of it.
std::uint32_t big_endian_word(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

}  // namespace

void apply_network_header(const bgq_network_t& network, Packet& packet) {
  packet.hints = 0;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) {
    if ((network.hints & BGQ_HINT_PLUS(d)) != 0) packet.hints |= static_cast<std::uint16_t>(1u << 2 * d);
    if ((network.hints & BGQ_HINT_MINUS(d)) != 0) packet.hints |= static_cast<std::uint16_t>(2u << 2 * d);
    packet.destination[d] = network.destination[d];
  }
  // Routing is dynamic if both the bit and the channel say so, otherwise it is deterministic.
  packet.dynamic = network.dynamic != 0 && network.vc == BGQ_VC_DYNAMIC;
  unsigned channel = network.vc;
  if (channel == BGQ_VC_DYNAMIC && !packet.dynamic) channel = BGQ_VC_DETERMINISTIC;
  if (channel == BGQ_VC_SYSTEM_COLLECTIVE) channel = BGQ_VC_USER_COMMWORLD;  // one buffer for both
  packet.channel = static_cast<VirtualChannel>(channel);
  packet.deposit = network.deposit != 0;
  packet.routing = static_cast<std::uint8_t>(network.zone);
  if (network.stay_on_bubble != 0) packet.routing |= PacketRouting::stay_on_bubble;
  if (network.to_io != 0) packet.routing |= PacketRouting::to_io;
  packet.group = 0;
}

bool stays_inside(const bgq_network_t& network, const Coordinates& node) {
  if (network.type != BGQ_TYPE_POINT_TO_POINT || network.hints != 0 || network.to_io != 0) return false;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) {
    if (network.destination[d] != node[d]) return false;
  }
  return true;
}

std::string network_header_fault(std::uint32_t errors, const bgq_network_t& network, const Shape& shape) {
  if (errors & kDestinationOutside)
    return "its destination " + destination_text(network) + " lies outside the machine of " + shape.text();
  if (errors & kHintsConflict) return "it has the plus and the minus hint of one dimension; give at most one of them";
  if (errors & kChannelMismatch)
    return "no point-to-point packet goes on virtual channel " + std::to_string(network.vc);
  if (errors & kDepositOffLine) {
    return "it is to be deposited along a line, but its destination " + destination_text(network) +
           " does not lie on the line of its one hint";
  }
  if (errors & kHintsMissing) {
    return "its hints lead not all the way to its destination " + destination_text(network) +
           "; give a hint for each dimension that differs, or none at all";
  }
  return "it has a hint that leads away from its destination " + destination_text(network) +
         "; give hints only for dimensions that differ";
}

std::uint32_t injection_checksum(const std::uint8_t* packet, unsigned bytes) {
  std::uint32_t sum = 0;
  for (unsigned byte = 4u * packet[BGQ_NETWORK_HEADER_BYTES - 1]; byte + 4 <= bytes; byte += 4)
    sum += big_endian_word(packet + byte);
  return sum;
}

}  // namespace toroid
