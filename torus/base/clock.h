// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "torus/torus/packet.h"

namespace toroid {

// Clock cycles against SystemC time, whose resolution is 1 ps. Cycle c of a clock of `mhz` begins at
// floor(c * 10^6 / mhz) ps; both ways are exact integer arithmetic.

namespace detail {
// 128-bit integers are a compiler extension that both of the project's compilers have.
__extension__ using Wide = unsigned __int128;
}  // namespace detail

/// The time at which cycle `cycle` begins.
inline sc_core::sc_time time_of(Cycle cycle, unsigned mhz) {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(detail::Wide{cycle} * 1000000 / mhz));
}

/// The first cycle that does not begin before `time`; the inverse of time_of().
inline Cycle cycle_at(const sc_core::sc_time& time, unsigned mhz) {
  return static_cast<Cycle>((detail::Wide{time.value()} * mhz + 999999) / 1000000);
}

/// The last cycle that has begun at `time`.
inline Cycle cycle_begun(const sc_core::sc_time& time, unsigned mhz) {
  return static_cast<Cycle>(((detail::Wide{time.value()} + 1) * mhz - 1) / 1000000);
}

}  // namespace toroid
