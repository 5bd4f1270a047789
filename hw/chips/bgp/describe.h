// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/chips/bgp/bgp_chip.h"
#include "hw/io/tree/io_node.h"
#include "hw/kernel/kernel_parameters.h"
#include "hw/machine/parameters.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/torus/config.h"
#include "torus/torus/families/blue_gene_lp_family.h"
#include "torus/tree/config.h"

namespace toroid {

/// The numbers of a machine, sorted to those who use them.
struct BgpConfig {
  TorusConfig torus;
  TreeConfig tree;
  GlobalInterruptConfig global_interrupts;
  IoServiceConfig io;
  BgpChipConfig chip;
  KernelParameters kernel;

  // These follow from the others.
  const RouterFamily* routers;
  IoNodeConfig io_node;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A machine of these parameters: each unit gets what it has in common with others. Throws ConfigurationError for a
/// parameter that is missing, out of range, or unknown.
BgpConfig describe_bgp(const Parameters& parameters);

}  // namespace toroid
