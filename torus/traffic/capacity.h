// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "torus/torus/topology.h"
#include "torus/traffic/pattern.h"

namespace toroid {

/// Packets the busiest link must carry for each packet that every sending node injects, with routes that are minimal
/// and balanced as well as can be: the largest, over all cuts, of the packets that must cross the cut in one direction
/// divided by the links that cross it in that direction. The cuts are
/// - between neighbouring planes of each dimension (both ways around a ring taken by equal halves where they are
///   equally long): for uniform traffic on a torus this is the bisection bound;
/// - around each single node, for what it sends and for what it receives.
/// Load 1.0 is the injection rate at which that link is never idle; no minimal routing can carry more.
double busiest_link_share(const Topology& topology, const TrafficPattern& pattern);

}  // namespace toroid
