// SPDX-License-Identifier: Apache-2.0
#include "torus/base/crc.h"

namespace toroid {

// Bit by bit: these run for damaged packets alone.

std::uint8_t crc8(const std::uint8_t* bytes, std::size_t count) {
  unsigned crc = 0;
  for (std::size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc & 0x80 ? (crc << 1 ^ 0x07) & 0xFF : crc << 1;
  }
  return static_cast<std::uint8_t>(crc);
}

std::uint32_t crc24(const std::uint8_t* bytes, std::size_t count) {
  std::uint32_t crc = 0xB704CE;
  for (std::size_t i = 0; i < count; ++i) {
    crc ^= static_cast<std::uint32_t>(bytes[i]) << 16;
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc & 0x800000 ? (crc << 1 ^ 0x864CFB) & 0xFFFFFF : crc << 1;
  }
  return crc;
}

}  // namespace toroid
