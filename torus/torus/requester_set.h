// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace toroid {

/// A set of small numbers, one word where they fit into one.
template <unsigned size>
class RequesterSet {
  __extension__ using TwoWords = unsigned __int128;
  using Bits = std::conditional_t<(size <= 64), std::uint64_t, TwoWords>;

 public:
  /// Numbers count modulo this where they go round.
  static constexpr unsigned kCapacity = 8 * sizeof(Bits);

  constexpr RequesterSet() = default;

  void add(unsigned number) { bits_ |= Bits{1} << number; }
  void remove(unsigned number) { bits_ &= ~(Bits{1} << number); }
  bool contains(unsigned number) const { return (bits_ >> number & 1) != 0; }
  bool empty() const { return bits_ == 0; }
  explicit operator bool() const { return bits_ != 0; }
  bool has_several() const { return (bits_ & (bits_ - 1)) != 0; }

  /// The lowest of a set that is not empty, and the set without it.
  unsigned first() const {
    if constexpr (sizeof(Bits) <= sizeof(std::uint64_t)) {
      return static_cast<unsigned>(__builtin_ctzll(bits_));
    } else {
      const auto low = static_cast<std::uint64_t>(bits_);
      return low != 0 ? static_cast<unsigned>(__builtin_ctzll(low))
                      : 64 + static_cast<unsigned>(__builtin_ctzll(static_cast<std::uint64_t>(bits_ >> 64)));
    }
  }
  void remove_first() { bits_ &= bits_ - 1; }

  unsigned count() const {
    if constexpr (sizeof(Bits) <= sizeof(std::uint64_t)) {
      return static_cast<unsigned>(__builtin_popcountll(bits_));
    } else {
      return static_cast<unsigned>(__builtin_popcountll(static_cast<std::uint64_t>(bits_)) +
                                   __builtin_popcountll(static_cast<std::uint64_t>(bits_ >> 64)));
    }
  }

  RequesterSet without(const RequesterSet& others) const { return RequesterSet(bits_ & ~others.bits_); }
  /// Those below `number`, and the others.
  RequesterSet below(unsigned number) const { return RequesterSet(bits_ & ((Bits{1} << number) - 1)); }
  RequesterSet from(unsigned number) const { return RequesterSet(bits_ & ~((Bits{1} << number) - 1)); }

 private:
  explicit constexpr RequesterSet(Bits bits) : bits_(bits) {}

  Bits bits_ = 0;
};

}  // namespace toroid
