// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

namespace toroid {

/// A number of units of one kind: cycles of one clock, or bytes of a link. It costs what its 64-bit number costs.
///
/// Amounts of different kinds do not mix: they cannot be added, compared or assigned, and nothing converts them but a
/// function that names the rate (torus/base/clock.h, wire_time()). A point in time and a duration have one type.
///
/// A literal (an int) may stand for an amount; any other number is made one explicitly. As in pointer arithmetic, a
/// number of at most 32 bits that is added to, subtracted from or compared with an amount counts its units: latencies
/// of a description are such. A number of 64 bits may be anything (picoseconds, nanoseconds), so it must be given its
/// kind first.
template <typename Kind>
class Amount {
  template <typename N>
  static constexpr bool is_number = std::is_integral_v<N> && !std::is_same_v<N, bool>;
  template <typename N>
  using IfNumber = std::enable_if_t<is_number<N>, int>;
  template <typename N>
  using IfSmall = std::enable_if_t<is_number<N> && sizeof(N) <= 4, int>;
  template <typename N>
  using IfLiteral = std::enable_if_t<std::is_same_v<N, int>, int>;

 public:
  constexpr Amount() = default;
  template <typename N, IfLiteral<N> = 0>
  constexpr Amount(N number) : number_(static_cast<std::uint64_t>(number)) {}
  template <typename N, std::enable_if_t<is_number<N> && !std::is_same_v<N, int>, int> = 0>
  explicit constexpr Amount(N number) : number_(static_cast<std::uint64_t>(number)) {}

  /// The plain number, where it leaves the simulator's own time: results, texts, indices.
  constexpr std::uint64_t count() const { return number_; }

  /// The same for other types of number, always written out: static_cast<double>(duration).
  template <typename N, std::enable_if_t<std::is_arithmetic_v<N> && !std::is_same_v<N, bool>, int> = 0>
  explicit constexpr operator N() const {
    return static_cast<N>(number_);
  }

  constexpr Amount& operator+=(Amount other) { return number_ += other.number_, *this; }
  constexpr Amount& operator-=(Amount other) { return number_ -= other.number_, *this; }
  constexpr Amount& operator++() { return ++number_, *this; }
  constexpr Amount operator++(int) { return Amount(number_++); }
  constexpr Amount& operator--() { return --number_, *this; }
  template <typename N, IfSmall<N> = 0>
  constexpr Amount& operator+=(N number) {
    return *this += Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  constexpr Amount& operator-=(N number) {
    return *this -= Amount(number);
  }

  friend constexpr Amount operator+(Amount a, Amount b) { return a += b; }
  friend constexpr Amount operator-(Amount a, Amount b) { return a -= b; }
  friend constexpr bool operator==(Amount a, Amount b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(Amount a, Amount b) { return a.number_ != b.number_; }
  friend constexpr bool operator<(Amount a, Amount b) { return a.number_ < b.number_; }
  friend constexpr bool operator>(Amount a, Amount b) { return a.number_ > b.number_; }
  friend constexpr bool operator<=(Amount a, Amount b) { return a.number_ <= b.number_; }
  friend constexpr bool operator>=(Amount a, Amount b) { return a.number_ >= b.number_; }

  /// How often `b` fits, and what is left over.
  friend constexpr std::uint64_t operator/(Amount a, Amount b) { return a.number_ / b.number_; }
  friend constexpr Amount operator%(Amount a, Amount b) { return Amount(a.number_ % b.number_); }

  // With plain numbers.
  template <typename N, IfNumber<N> = 0>
  friend constexpr Amount operator*(Amount a, N times) {
    return Amount(a.number_ * static_cast<std::uint64_t>(times));
  }
  template <typename N, IfNumber<N> = 0>
  friend constexpr Amount operator*(N times, Amount a) {
    return a * times;
  }
  template <typename N, IfNumber<N> = 0>
  friend constexpr Amount operator/(Amount a, N parts) {
    return Amount(a.number_ / static_cast<std::uint64_t>(parts));
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr Amount operator%(Amount a, N number) {
    return a % Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr Amount operator+(Amount a, N number) {
    return a + Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr Amount operator-(Amount a, N number) {
    return a - Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator==(Amount a, N number) {
    return a == Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator!=(Amount a, N number) {
    return a != Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator<(Amount a, N number) {
    return a < Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator>(Amount a, N number) {
    return a > Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator<=(Amount a, N number) {
    return a <= Amount(number);
  }
  template <typename N, IfSmall<N> = 0>
  friend constexpr bool operator>=(Amount a, N number) {
    return a >= Amount(number);
  }

  template <typename Character, typename Traits>
  friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& stream,
                                                           Amount amount) {
    return stream << amount.number_;
  }

 private:
  std::uint64_t number_ = 0;
};

/// Cycles of the network's clock, since the start of the simulation or between two events.
using Cycle = Amount<struct NetworkCycles>;
/// Later than every event.
inline constexpr Cycle kNever{~std::uint64_t{0}};
/// Cycles of a processor core's clock.
using CoreCycle = Amount<struct CoreCycles>;
/// Bytes that cross a link, with all that is added on the wire.
using LinkBytes = Amount<struct BytesOfALink>;

/// Cycles that `bytes` keep a link which moves `bytes_per_cycle`.
constexpr Cycle wire_time(LinkBytes bytes, unsigned bytes_per_cycle) {
  return Cycle((bytes.count() + bytes_per_cycle - 1) / bytes_per_cycle);
}

static_assert(sizeof(Cycle) == sizeof(std::uint64_t) && std::is_trivially_copyable_v<Cycle>);

}  // namespace toroid
