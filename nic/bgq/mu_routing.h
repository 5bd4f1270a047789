// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "nic/bgq/mu_packet.h"
#include "torus/base/topology.h"
#include "torus/torus/packet.h"

namespace toroid {

/// Sets the fields of a packet that routers use from its network header, but its size. Virtual channels are numbered as
/// the physical ones are: dynamic, deterministic, high priority, system, and two of collectives.
void apply_network_header(const bgq_network_t& network, Packet& packet);

/// Whether a packet is for its own node and takes no link: no hint, and the node's coordinates.
bool stays_inside(const bgq_network_t& network, const Coordinates& node);

/// Packets of the system, by their virtual channel.
inline bool is_system_channel(unsigned vc) {
  return vc == BGQ_VC_SYSTEM || vc == BGQ_VC_SYSTEM_COLLECTIVE;
}

/// What is wrong with a header, by the first of the HeaderError bits in `errors`.
std::string network_header_fault(std::uint32_t errors, const bgq_network_t& network, const Shape& shape);

/// The sum of a packet's big-endian words of 4 bytes behind those that its header says are to be skipped. (That it is a
/// plain sum is assumed.)
std::uint32_t injection_checksum(const std::uint8_t* packet, unsigned bytes);

}  // namespace toroid
