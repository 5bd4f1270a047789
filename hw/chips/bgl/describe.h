// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/chips/bgl/bgl_chip.h"
#include "hw/kernel/kernel_parameters.h"
#include "hw/machine/parameters.h"
#include "hw/machine/torus_tree/config.h"

namespace toroid {

/// The numbers of a machine, sorted to those who use them.
struct BglConfig : TorusTreeConfig {
  BglChipConfig chip;
  KernelParameters kernel;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A machine of these parameters: each unit gets what it has in common with others. Throws ConfigurationError for a
/// parameter that is missing, out of range, or unknown.
BglConfig describe(const Parameters& parameters);

}  // namespace toroid
