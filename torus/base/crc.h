// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace toroid {

/// CRC-8, polynomial x^8 + x^2 + x + 1, initial value 0 (the hardware's polynomial is not published).
std::uint8_t crc8(const std::uint8_t* bytes, std::size_t count);

/// CRC-24 of RFC 4880, polynomial 0x864CFB, initial value 0xB704CE (the hardware's polynomial is not published).
std::uint32_t crc24(const std::uint8_t* bytes, std::size_t count);

}  // namespace toroid
