// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/chips/bgl/bgl_chip.h"
#include "hw/chips/bgl/io_node.h"
#include "hw/machine/parameters.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/torus/config.h"
#include "torus/torus/families/bgl_family.h"
#include "torus/tree/config.h"

namespace toroid {

/// The numbers of a machine, sorted to those who use them.
struct BglConfig {
  TorusConfig torus;
  TreeConfig tree;
  GlobalInterruptConfig global_interrupts;
  IoNodeConfig io_node;
  BglChipConfig chip;
  std::uint32_t stack_bytes = 0;
  CoreCycle system_call_cycles = 0;
  CoreCycle interrupt_cycles = 0;
  std::uint64_t epoch = 0;  ///< calendar time at simulated time 0, in seconds since 1970
};

/// The only place that knows both the description's names and the configuration structs. Throws ConfigurationError for
/// a parameter that is missing, out of range, or unknown.
BglConfig describe(const Parameters& parameters);

}  // namespace toroid
