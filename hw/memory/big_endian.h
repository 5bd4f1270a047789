// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

// Values in memory as the PowerPC keeps them: most significant byte first.

inline std::uint16_t load_be16(const std::uint8_t* p) {
  return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
}
inline std::uint32_t load_be32(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}
inline std::uint64_t load_be64(const std::uint8_t* p) {
  return std::uint64_t{load_be32(p)} << 32 | load_be32(p + 4);
}

inline void store_be16(std::uint8_t* p, std::uint16_t value) {
  p[0] = static_cast<std::uint8_t>(value >> 8);
  p[1] = static_cast<std::uint8_t>(value);
}
inline void store_be32(std::uint8_t* p, std::uint32_t value) {
  store_be16(p, static_cast<std::uint16_t>(value >> 16));
  store_be16(p + 2, static_cast<std::uint16_t>(value));
}
inline void store_be64(std::uint8_t* p, std::uint64_t value) {
  store_be32(p, static_cast<std::uint32_t>(value >> 32));
  store_be32(p + 4, static_cast<std::uint32_t>(value));
}

}  // namespace toroid
