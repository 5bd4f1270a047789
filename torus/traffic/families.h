// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "torus/torus/families/family.h"
#include "torus/traffic/messages.h"
#include "torus/traffic/traffic.h"

namespace toroid {

/// A family of routers, and traffic on it.
struct TrafficFamily {
  const RouterFamily* family;
  TrafficResult (*run)(const TrafficConfig& config);
  MessageResult (*run_messages)(const MessageTraffic& config);
};

/// The routers of that name for so many dimensions. Throws std::invalid_argument, saying what there is, if there are
/// none.
const TrafficFamily& traffic_family(const std::string& name, unsigned dimensions);

}  // namespace toroid
