// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// Simulated time at which a run ends at the latest: 116 days. SystemC counts picoseconds up to 213.
inline constexpr std::uint64_t kLongestRunNs = 10'000'000'000'000'000;

}  // namespace toroid
