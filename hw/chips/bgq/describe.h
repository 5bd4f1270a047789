// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/machine/parameters.h"
#include "nic/bgq/mu_config.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/collective/network.h"
#include "torus/torus/config.h"

namespace toroid {

/// The numbers of a machine.
struct BgqConfig {
  TorusConfig torus;
  ZoneConfig zones;
  MuConfig mu;
  CollectiveConfig collective;
  GlobalInterruptConfig global_interrupts;

  // Follows from the others (describe_bgq()).
  const RouterFamily* routers;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A machine of these parameters. Throws ConfigurationError for a parameter that is missing, out of range, or unknown.
BgqConfig describe_bgq(const Parameters& parameters);

}  // namespace toroid
