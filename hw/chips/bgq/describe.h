// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/chips/bgq/bgq_chip.h"
#include "hw/kernel/kernel_parameters.h"
#include "hw/machine/parameters.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/collective/network.h"
#include "torus/torus/config.h"

namespace toroid {

/// The numbers of a machine, sorted to those who use them.
struct BgqConfig {
  TorusConfig torus;
  ZoneConfig zones;
  CollectiveConfig collective;
  GlobalInterruptConfig global_interrupts;
  BgqChipConfig chip;
  KernelParameters kernel;
  CoreCycle devices_apart;  ///< KernelConfig::devices_apart

  // Follows from the others (describe_bgq()).
  const RouterFamily* routers;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A machine of these parameters: each unit gets what it has in common with others. Throws ConfigurationError for a
/// parameter that is missing, out of range, or unknown.
BgqConfig describe_bgq(const Parameters& parameters);

}  // namespace toroid
