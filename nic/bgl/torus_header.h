// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "nic/bgl/torus_packet.h"
#include "torus/torus/packet.h"

namespace toroid {

/// The fields of the hardware header in the first 8 bytes at `bytes`.
bgl_torus_fields_t read_hardware_header(const std::uint8_t* bytes);

/// Sets what routers read of a packet from its hardware header.
void apply_header(const bgl_torus_fields_t& fields, Packet& packet);

/// What a packet adds to its injection FIFO's checksum: the sum of its big-endian 16-bit units behind the skipped ones,
/// 0 when the header leaves it out. (That it is a plain sum modulo 2^32 is assumed.)
std::uint32_t injection_checksum(const bgl_torus_fields_t& fields, const PacketData& data);

}  // namespace toroid
