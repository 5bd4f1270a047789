// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/core/core_config.h"
#include "hw/io/tree/io_node.h"
#include "hw/machine/parameters.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/torus/config.h"
#include "torus/torus/families/blue_gene_lp_family.h"
#include "torus/tree/config.h"

namespace toroid {

/// The numbers of a machine with a torus, a tree, global interrupts and I/O nodes at the tree, beside those of its
/// chips and its kernel.
struct TorusTreeConfig {
  TorusConfig torus;
  TreeConfig tree;
  GlobalInterruptConfig global_interrupts;
  IoServiceConfig io;

  // These follow from the others (complete()).
  const RouterFamily* routers;
  IoNodeConfig io_node;

  void visit_parameters(ParameterVisitor& visitor);
  /// Sets what follows from the others where I/O nodes are made of the chip of the compute nodes, whose cores are
  /// `core` and pay `access` for the FIFOs of the tree. Throws ConfigurationError for numbers that do not go together,
  /// those of `core.memory` included.
  void complete(const Parameters& parameters, const CoreConfig& core, const DeviceCost& access);
};

}  // namespace toroid
