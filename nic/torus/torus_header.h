// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "nic/torus/torus_packet.h"
#include "torus/base/topology.h"
#include "torus/torus/packet.h"

namespace toroid {

/// Decodes the hardware header in the first 8 bytes at `bytes`.
torus_fields_t read_hardware_header(const std::uint8_t* bytes);

/// Sets the fields of a packet that routers use from its hardware header.
void apply_header(const torus_fields_t& fields, Packet& packet);

/// What is wrong with a header, by the first of the HeaderError bits in `errors`.
std::string header_fault(std::uint32_t errors, const torus_fields_t& fields, const Shape& shape);

/// The contribution of a packet to its injection FIFO's checksum: the sum of its big-endian 16-bit units after the
/// skipped ones; 0 if the header excludes the packet. (That it is a plain sum modulo 2^32 is assumed.)
std::uint32_t injection_checksum(const torus_fields_t& fields, const std::uint8_t* packet);

}  // namespace toroid
