// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/memory/byte_order.h"

namespace toroid {

/// How programs lay out words: a C long, a pointer or a size_t each.
struct WordLayout {
  ByteOrder order = ByteOrder::big;
  unsigned bytes = 4;

  /// The word of this number, in a structure that begins at `from`.
  std::uint64_t load(const std::uint8_t* from, unsigned number) const {
    return load_number(from + number * bytes, bytes, order);
  }
  /// The same with its sign.
  std::int64_t load_signed(const std::uint8_t* from, unsigned number) const { return sign(load(from, number)); }
  void store(std::uint8_t* to, unsigned number, std::uint64_t value) const {
    store_number(to + number * bytes, value, bytes, order);
  }
  /// A register's value as a signed word.
  std::int64_t sign(std::uint64_t value) const {
    return bytes == 8 ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(value);
  }
  /// The largest word, which stands for "without a limit".
  std::uint64_t largest() const { return bytes == 8 ? ~std::uint64_t{0} : 0xFFFF'FFFF; }
};

}  // namespace toroid
