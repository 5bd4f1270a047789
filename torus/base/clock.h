// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "torus/base/time.h"

namespace toroid {

// Clock cycles against SystemC time, whose resolution is 1 ps. Cycle c of a clock of `mhz` begins at
// floor(c * 10^6 / mhz) ps; both ways are exact integer arithmetic.

namespace detail {
// 128-bit integers are a compiler extension that both of the project's compilers have.
__extension__ using Wide = unsigned __int128;

/// (number * factor + more) / divisor. Nearly all products fit into 64 bits, which divide several times as fast.
inline std::uint64_t scaled(std::uint64_t number, std::uint64_t factor, std::uint64_t more, std::uint64_t divisor) {
  const Wide product = Wide{number} * factor + more;
  const auto low = static_cast<std::uint64_t>(product);
  return product == low ? low / divisor : static_cast<std::uint64_t>(product / divisor);
}
}  // namespace detail

/// The time at which cycle `cycle` of a clock begins.
template <typename Clock>
sc_core::sc_time time_of(Amount<Clock> cycle, unsigned mhz) {
  return sc_core::sc_time::from_value(detail::scaled(cycle.count(), 1000000, 0, mhz));
}

/// The first cycle that does not begin before `time`; the inverse of time_of(). Of the network's clock unless another
/// is named: cycle_at<CoreCycle>(time, mhz).
template <typename Cycles = Cycle>
Cycles cycle_at(const sc_core::sc_time& time, unsigned mhz) {
  return Cycles(detail::scaled(time.value(), mhz, 999999, 1000000));
}

/// A duration in cycles of another clock, rounded up.
template <typename To, typename From>
To in_cycles_of(Amount<From> duration, unsigned from_mhz, unsigned to_mhz) {
  return To((duration.count() * to_mhz + from_mhz - 1) / from_mhz);
}

/// The last cycle that has begun at `time`.
template <typename Cycles = Cycle>
Cycles cycle_begun(const sc_core::sc_time& time, unsigned mhz) {
  return Cycles(detail::scaled(time.value(), mhz, std::uint64_t{mhz} - 1, 1000000));
}

}  // namespace toroid
