// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "torus/base/topology.h"
#include "torus/traffic/pattern.h"

namespace toroid {

/// How long a packet takes on a link of each direction, against one of the first direction.
using LinkSlowness = std::array<double, kMaxDirections>;
inline constexpr LinkSlowness kLinksAlike{1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/// Packets the busiest link must carry for each packet that every sending node injects, with routes that are minimal
/// and balanced as well as can be: the largest, over all cuts, of the packets that must cross the cut in one direction
/// divided by the links that cross it in that direction (a slow link counts for less). The cuts are
/// - between neighbouring planes of each dimension (both ways around a ring taken by equal halves where they are
///   equally long): for uniform traffic on a torus this is the bisection bound;
/// - around each single router, for what its nodes send and for what they receive.
/// Load 1.0 is the injection rate at which that link is never idle; no minimal routing can carry more.
double busiest_link_share(const Topology& topology, const TrafficPattern& pattern,
                          const LinkSlowness& slowness = kLinksAlike);

}  // namespace toroid
