// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "hw/sim/configuration.h"
#include "hw/sim/shape.h"
#include "torus/traffic/traffic.h"

namespace toroid {

/// What all synthetic traffic takes from a configuration: on which network, who sends to whom, and by which numbers.
inline void set_pattern(const Configuration& configuration, NetworkRun& run) {
  const TrafficRequest& request = *configuration.traffic;
  run.shape = shape_of(configuration);
  run.pattern = request.pattern;
  run.pattern_options.hotspot_share = request.hot_fraction;
  std::copy(request.displacement.begin(), request.displacement.end(), run.pattern_options.displacement.begin());
  run.pattern_options.senders_every = request.senders_every;
  run.seed = configuration.seed;
  run.elaboration_order = configuration.elaboration_order;
}

}  // namespace toroid
