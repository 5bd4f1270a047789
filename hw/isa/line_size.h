// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// How long the lines of a cache are: a power of two of bytes.
class LineSize {
 public:
  static constexpr std::uint32_t kLeast = 32, kMost = 128;

  explicit constexpr LineSize(std::uint32_t bytes) : shift_(static_cast<unsigned>(__builtin_ctz(bytes))) {}

  constexpr std::uint32_t bytes() const { return 1u << shift_; }
  /// The logarithm of the bytes to the base 2.
  constexpr unsigned shift() const { return shift_; }
  /// The number of the line in which `address` lies.
  template <typename Address>
  constexpr Address number(Address address) const {
    return address >> shift_;
  }
  /// Of the line's first byte.
  constexpr std::uint64_t address(std::uint64_t number) const { return number << shift_; }

 private:
  unsigned shift_;
};

}  // namespace toroid
