// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/memory/big_endian.h"

namespace toroid {

/// How a guest keeps numbers in memory: most significant byte first, or least significant byte first.
enum class ByteOrder : std::uint8_t { big, little };
inline constexpr const char* name_of(ByteOrder order) {
  return order == ByteOrder::big ? "big-endian" : "little-endian";
}

inline std::uint16_t load_u16(const std::uint8_t* p, ByteOrder order) {
  const std::uint16_t value = load_be16(p);
  return order == ByteOrder::big ? value : __builtin_bswap16(value);
}
inline std::uint32_t load_u32(const std::uint8_t* p, ByteOrder order) {
  const std::uint32_t value = load_be32(p);
  return order == ByteOrder::big ? value : __builtin_bswap32(value);
}
inline std::uint64_t load_u64(const std::uint8_t* p, ByteOrder order) {
  const std::uint64_t value = load_be64(p);
  return order == ByteOrder::big ? value : __builtin_bswap64(value);
}
/// A number of 1, 2, 4 or 8 bytes.
inline std::uint64_t load_number(const std::uint8_t* p, unsigned size, ByteOrder order) {
  return size == 8 ? load_u64(p, order) : size == 4 ? load_u32(p, order) : size == 2 ? load_u16(p, order) : *p;
}

inline void store_u16(std::uint8_t* p, std::uint16_t value, ByteOrder order) {
  store_be16(p, order == ByteOrder::big ? value : __builtin_bswap16(value));
}
inline void store_u32(std::uint8_t* p, std::uint32_t value, ByteOrder order) {
  store_be32(p, order == ByteOrder::big ? value : __builtin_bswap32(value));
}
inline void store_u64(std::uint8_t* p, std::uint64_t value, ByteOrder order) {
  store_be64(p, order == ByteOrder::big ? value : __builtin_bswap64(value));
}
inline void store_number(std::uint8_t* p, std::uint64_t value, unsigned size, ByteOrder order) {
  if (size == 8) {
    store_u64(p, value, order);
  } else if (size == 4) {
    store_u32(p, static_cast<std::uint32_t>(value), order);
  } else if (size == 2) {
    store_u16(p, static_cast<std::uint16_t>(value), order);
  } else {
    *p = static_cast<std::uint8_t>(value);
  }
}

}  // namespace toroid
