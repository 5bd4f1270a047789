// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace toroid {

/// The node's memory for what people are told: the `bytes` bytes at a physical address as they are now, or nullptr if
/// they are not all memory.
using MuMemory = std::function<const std::uint8_t*(std::uint64_t address, std::uint64_t bytes)>;

/// Lines about the descriptor at physical address `place`: what it sends where, over which links, and of remote gets
/// the descriptors that they carry. Every line begins with `indent`.
std::string mu_descriptor_text(std::uint64_t place, const MuMemory& memory, const std::string& indent);

/// A line about a packet in a reception FIFO, whose header these 32 bytes are.
std::string mu_packet_text(const std::uint8_t* header);

}  // namespace toroid
